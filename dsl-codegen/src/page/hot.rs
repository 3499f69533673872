//! The hot loops of a listing, LLVM IR or assembly, found by its text alone.
//!
//! A loop is the lines from a label to the last jump back to it, in the order in which they are listed. What holds no other
//! loop is innermost. Of each function, the innermost loop with the most vector instructions is marked; if there is no
//! vector instruction in any loop, the innermost loop with the most lines. Which loop is hot when the program runs depends
//! on its data: this is where LLVM has put the vector code.

use std::collections::HashMap;
use std::ops::Range;

/// A loop of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hot {
    /// Its lines, from 0.
    pub(super) lines: Range<usize>,
    /// Its instructions.
    pub(super) instructions: usize,
    /// Those on vectors.
    pub(super) vector: usize,
}

/// The hot loops of `listing`, one for each function that has one.
pub(super) fn hot_loops(listing: &str) -> Vec<Hot> {
    let lines: Vec<&str> = listing.lines().collect();
    let is_ir = lines.iter().any(|line| line.starts_with("define "));
    let mut functions = Vec::new();
    let mut start = 0;
    for (number, line) in lines.iter().enumerate() {
        if is_function(line, is_ir) {
            functions.push(start..number);
            start = number;
        }
    }
    functions.push(start..lines.len());
    let innermost: Vec<Vec<Hot>> =
        functions.into_iter().map(|function| innermost_loops(&lines, function)).collect();
    let is_vector = innermost.iter().flatten().any(|one| one.vector > 0);
    if is_vector {
        let best = |loops: Vec<Hot>| first_best(loops, |one| one.vector);
        innermost.into_iter().filter_map(best).filter(|one| one.vector > 0).collect()
    } else {
        first_best(innermost.into_iter().flatten(), |one| one.instructions).into_iter().collect()
    }
}

fn first_best(loops: impl IntoIterator<Item = Hot>, by: impl Fn(&Hot) -> usize) -> Option<Hot> {
    loops.into_iter().reduce(|best, one| if by(&one) > by(&best) { one } else { best })
}

/// The loops among `range` that hold no other.
fn innermost_loops(lines: &[&str], range: Range<usize>) -> Vec<Hot> {
    let mut labels = HashMap::new();
    let mut loops: Vec<Range<usize>> = Vec::new();
    for number in range {
        if let Some(label) = label(lines[number]) {
            labels.insert(label, number);
        }
        for target in targets(lines[number]) {
            let Some(&start) = labels.get(target) else { continue };
            match loops.iter_mut().find(|one| one.start == start) {
                Some(known) => known.end = number + 1,
                None => loops.push(start..number + 1),
            }
        }
    }
    let holds = |a: &Range<usize>, b: &Range<usize>| a != b && a.start <= b.start && b.end <= a.end;
    let innermost = loops.iter().filter(|one| !loops.iter().any(|other| holds(one, other)));
    let hot = |range: &Range<usize>| {
        let instructions = || lines[range.clone()].iter().filter(|line| is_instruction(line));
        Hot {
            lines: range.clone(),
            instructions: instructions().count(),
            vector: instructions().filter(|line| is_vector(line)).count(),
        }
    };
    innermost.map(hot).collect()
}

/// Whether a function begins here. Blocks of LLVM IR stand at the margin, as functions do in assembly.
fn is_function(line: &str, is_ir: bool) -> bool {
    if is_ir { line.starts_with("define ") } else { !line.starts_with('.') && label(line).is_some() }
}

/// The label that a line begins with.
fn label(line: &str) -> Option<&str> {
    let (name, _) = line.split_once(':')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || "._-$".contains(c);
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

/// The labels that a line jumps to.
fn targets(line: &str) -> Vec<&str> {
    let line = line.trim_start();
    let end_of_name = |text: &str| text.find(|c: char| !(c.is_ascii_alphanumeric() || "._-$".contains(c)));
    let name = |text| &text[..end_of_name(text).unwrap_or(text.len())];
    if line.starts_with("br ") || line.starts_with("switch ") {
        return line.split("label %").skip(1).map(name).collect();
    }
    let Some((op, rest)) = line.split_once(['\t', ' ']) else { return Vec::new() };
    if op.starts_with('j') { vec![name(rest.trim_start())] } else { Vec::new() }
}

/// Whether a line is neither a label, nor empty, nor a comment or directive.
fn is_instruction(line: &str) -> bool {
    let text = line.trim_start();
    text.len() < line.len() && !text.is_empty() && !text.starts_with(['#', ';', '.', '}'])
}

/// Whether an instruction works on vectors.
fn is_vector(line: &str) -> bool {
    let text = line.trim_start();
    if text.contains("%ymm") || text.contains("%zmm") {
        return true;
    }
    if text.contains("%xmm") {
        let op = text.split(['\t', ' ']).next().unwrap_or(text);
        return op.ends_with("ps") || op.ends_with("pd") || op.starts_with('p') || op.starts_with("vp");
    }
    // `<4 x double>`
    text.split('<').skip(1).any(|rest| {
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        after.len() < rest.len() && after.starts_with(" x ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(listing: &str, expected: &[(Range<usize>, usize, usize)]) {
        let found = hot_loops(listing);
        let found: Vec<_> = found.into_iter().map(|hot| (hot.lines, hot.instructions, hot.vector)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn of_two_innermost_loops_the_one_with_vectors_is_hot() {
        let listing = "define i32 @weldment_main() {\n\
            start:\n  br label %body\n\
            body:\n  %1 = fadd <8 x double> %0, %0\n  %2 = fmul <8 x double> %1, %0\n  br i1 %c, label %tail, label %body\n\
            tail:\n  %3 = fadd double %x, %y\n  %4 = add i64 %i, 1\n  %5 = icmp eq i64 %4, %n\n  br i1 %5, label %end, label %tail\n\
            end:\n  ret i32 0\n}\n";
        check(listing, &[(3..7, 3, 2)]);
    }

    #[test]
    fn a_loop_around_another_is_not_innermost() {
        let listing = "weldment_main:\n.LBB0_1:\n\tvaddpd\t%ymm0, %ymm1, %ymm2\n.LBB0_2:\n\tvmulpd\t%ymm0, %ymm1, %ymm2\n\
            \tjne\t.LBB0_2\n\tjmp\t.LBB0_1\n";
        check(listing, &[(3..6, 2, 1)]);
    }

    #[test]
    fn each_function_has_its_own() {
        let one = |name: &str| {
            format!("define void @{name}() {{\nb:\n  %1 = add <4 x i64> %0, %0\n  br label %b\n}}\n")
        };
        check(&(one("f") + &one("g")), &[(1..4, 2, 1), (6..9, 2, 1)]);
    }

    #[test]
    fn without_vectors_it_is_the_longest_and_scalar_floats_are_none() {
        let listing = "weldment_main:\n.LBB0_1:\n\taddq\t$1, %rax\n\tjne\t.LBB0_1\n.LBB0_2:\n\tvaddsd\t%xmm0, %xmm1, %xmm2\n\
            \taddq\t$1, %rax\n\tjne\t.LBB0_2\n";
        check(listing, &[(4..8, 3, 0)]);
        check("weldment_main:\n\tretq\n", &[]);
        check("", &[]);
    }
}
