//! Loops that `fold-loops` runs come to what the interpreter makes of them, bit for bit.

use weldment_core::ir::{Op, Program};
use weldment_core::passes::{Cx, dead_code, fold_loops, run_pass, simplify};
use weldment_runtime::lang::value::Value;

use crate::execute;

/// Something of every kind of loop and sink, and of every op that may be in one.
const FOLDED: &[(&str, &str)] = &[
    ("a sum in lanes", "(0..100).map(|i| 1.0 / f64(i + 1)).sum()"),
    ("a sum in the lanes of a narrower type", "(0..100).map(|i| 1.0f / f32(i + 1)).sum()"),
    ("a sum of nothing", "[-0.0].filter(|x| x > 1.0).sum()"),
    ("a product", "(1..30).map(|i| 1.0 + 0.1 / f64(i)).product()"),
    ("integers that wrap", "(0i64..100).map(|i| u8(i)).sum()"),
    ("the least beside what is no number", "[0.0 / 0.0, 3.0, -0.0, 0.0, 7.5].min()"),
    ("the greatest where nothing is a number", "[0.0 / 0.0, 0.0 / 0.0].max()"),
    (
        "a sum field by field",
        "result(for((0..50), merger[{f64, i64}, +], |b, i, x| merge(b, {0.1 * f64(x), x})))",
    ),
    ("a sum that begins with a value", "result(for((0..50), merger[f64, +](0.7), |b, i, x| merge(b, 0.1)))"),
    (
        "a sum in chunks",
        "result(for((0..50), merger[f32, +], |b, i, x| merge(b, (0..3).map(|j| (0..2).map(|k| 1.0f / f32(x + j + k + 1)).sum()).sum())))",
    ),
    ("a function of two values", "(0..20).map(|i| f64(i)).reduce(|a, b| a + b * 0.5)"),
    ("a state", "(0..30).fold((1i64, 0.5), |s, i| (s.0 * 3 + i, s.1 * 0.9))"),
    (
        "do while",
        "iterate((7i64, 0i64), |(n, steps)| {(if n % 2 == 0 { n / 2 } else { 3 * n + 1 }, steps + 1), n != 2})",
    ),
    (
        "a filter and a flat map",
        "(0..6).filter(|i| i % 2 == 1).flat_map(|i| (0..i).map(|j| (i, f64(j) * 0.1)))",
    ),
    ("vectors in vectors", "(0..4).map(|i| (0..i).map(|j| [i * j, i - j]))"),
    (
        "two builders in one loop",
        "{ let b = for((0..9), {appender[i64], merger[i64, max]}, |b, i, x| {if x % 3 == 0 { merge(b.0, x) } else { b.0 }, merge(b.1, x * x % 7)}); (result(b.0), result(b.1)) }",
    ),
    (
        "additions by index",
        "result(for((0..20), vecmerger[f64, +]([0.5, 0.25, -0.0, 0.0]), |b, i, x| merge(b, {x % 3, 0.1 * f64(x)})))",
    ),
    ("a stable sort", "[(2, 1), (1, 2), (2, 3), (1, 4), (0, 5)].sort_by_key(|x| x.0)"),
    (
        "a comparator that contradicts itself",
        "[3, 1, 2, 5, 4, 9, 7, 8, 6, 0, 11].sort_by(|a, b| if (a * 5 + b * 3) % 4 < 2 { 1 } else { -1 })",
    ),
    (
        "a comparator with a loop in it",
        "[3, 1, 2].sort_by(|a, b| compare([b, 1].map(|x| f64(x) * 0.1).sum(), [a, 2].map(|x| f64(x) * 0.1).sum()))",
    ),
    (
        "lists side by side, and parts",
        "zip((0..4), [0.5, 1.5, 2.5, 3.5]).map(|(i, x)| x * f64(i) + [1.0, 2.0, 3.0, 4.0].slice(i, 2).sum())",
    ),
    (
        "every second element",
        "result(for(iter([1i64, 2, 3, 4, 5, 6], 1L, 5L, 2L), merger[i64, *], |b, i, x| merge(b, x * 10 + i)))",
    ),
    ("indices that are checked", "(0..3).map(|i| [7i64, 8, 9][(i * 2) % 3])"),
    (
        "functions, casts, choices and comparisons",
        "(0..10).map(|i| { let x = sin(f64(i)); (u8(i * 50), i32(100.0 * x), select(x > 0.0, pow(x, 2.0), -x), compare(x, 0.5), !(i & 5 << 1), i32(x) as bool) })",
    ),
];

/// What it does not run, and why.
const LEFT: &[(&str, &str)] = &[
    ("dictionaries", "[1, 2, 1].reduce_by(|x| x, |x| x, +).tovec()"),
    ("bytes of values", "[1i64, 2].map(|x| serialize(x).len()).sum()"),
    ("an index outside", "(0..3).map(|i| [7i64, 8][i]).sum()"),
    ("a division by zero", "(0..3).map(|i| 6 / i).sum()"),
    ("the least of nothing", "(0..3).filter(|i| i > 5).min()"),
    ("a part outside", "(0..3).map(|i| [1i64].slice(i, 1).len()).sum()"),
    (
        "a step that does not fit",
        "result(for(iter([1i64, 2, 3, 4], 0L, 4L, 3L), merger[i64, +], |b, i, x| merge(b, x)))",
    ),
    ("lists of other lengths", "zip([1i64, 2], [1i64]).map(|(x, y)| x + y).sum()"),
    ("what is not so", "(0..3).map(|i| assert(i < 2)).filter(|x| x).count()"),
];

/// The loops of `|| expression`, before and after they are folded, and both programs' results.
fn folded(expression: &str) -> ([usize; 2], [Option<Value>; 2]) {
    let lowered = execute::lower(&format!("|| {expression}"));
    let mut program = lowered.program.clone();
    // Extents are known once they are simplified.
    for pass in [&simplify::PASS, &fold_loops::PASS, &dead_code::PASS] {
        run_pass(pass, &mut program, &mut Cx::default())
            .unwrap_or_else(|broken| panic!("{broken}\n{expression}"));
    }
    let programs = [&lowered.program, &program];
    (programs.map(loops), programs.map(|program| execute::run(program, &lowered, &[]).0.ok()))
}

/// The number of loops, states and sorts.
fn loops(program: &Program) -> usize {
    let mut loops = 0;
    program.for_each_stmt(program.entry.expect("an entry"), &mut |stmt| {
        loops += usize::from(matches!(stmt.op, Op::Loop(_) | Op::Iterate { .. } | Op::Sort { .. }));
    });
    loops
}

#[test]
fn each_kind_of_loop_comes_to_what_the_interpreter_makes_of_it() {
    for (what, expression) in FOLDED {
        let ([before, after], [plain, folded]) = folded(expression);
        let (plain, folded) = (plain.expect(what), folded.expect(what));
        assert!(plain.same_bits(&folded), "{what}: {folded:?} is not {plain:?}");
        assert!(before > 0 && after == 0, "{what}: {before} loops, and {after} are left");
    }
}

#[test]
fn what_cannot_be_run_is_left() {
    for (what, expression) in LEFT {
        let ([_, after], [plain, folded]) = folded(expression);
        assert!(after > 0, "{what}: no loop is left");
        assert!(
            plain.as_ref().map(Value::to_string) == folded.as_ref().map(Value::to_string),
            "{what}: {folded:?} is not {plain:?}"
        );
    }
}
