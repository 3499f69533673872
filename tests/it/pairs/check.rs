//! The check of one pair.

use std::fmt;

use weldment::{Fault, Program, Value};

use super::{Outcome, Pair};
use crate::executors::{self, Cut};

const CUTS: [Cut; 2] = [Cut::COST, Cut::of(3, 5)];

/// How many programs each executor has run.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) rust: usize,
    pub(super) interp: usize,
    pub(super) llvm: usize,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, count) in [("rust", self.rust), ("interp", self.interp), ("llvm", self.llvm)] {
            if count > 0 {
                writeln!(f, "executor {name}: {count} programs")?;
            }
        }
        Ok(())
    }
}

/// What is wrong with `pair`.
pub(super) fn check(pair: &Pair, tally: &mut Tally) -> Vec<String> {
    let text = text_of(pair);
    let rust = match Program::parse(&text) {
        Ok(program) => program,
        Err(error) => return vec![format!("{}: Rust's spelling: {error}", pair.name)],
    };
    let weld = match Program::parse(pair.weld) {
        Ok(program) => program,
        Err(error) => return vec![format!("{}: Weld's spelling: {error}", pair.name)],
    };
    if rust.ir() != weld.ir() {
        return vec![format!("{}: two programs\n{}\n{}", pair.name, rust.ir(), weld.ir())];
    }

    let mut failures = Vec::new();
    let args = (pair.args)();
    for cut in CUTS {
        let expected = executors::interpreted(&rust, cut, &args);
        if !is(&expected, &(pair.expected)(), &text) {
            failures.push(format!("{}: the interpreter, {cut:?}: {expected:?}", pair.name));
        }
        let mut compare = |executor, way: &dyn fmt::Debug, got: Result<Value, Fault>| {
            if !executors::same(&got, &expected) {
                let name = pair.name;
                failures
                    .push(format!("{name}: {executor}, {way:?}\n     got {got:?}\nexpected {expected:?}"));
            }
        };
        if let Some(emitted) = pair.emitted {
            for way in executors::emitted_ways(cut) {
                compare("emitted Rust", &way, emitted(&way));
            }
        }
        #[cfg(feature = "llvm")]
        executors::compiled(&rust, cut, &args, |way, got| compare("LLVM", way, got));
    }
    tally.interp += 1;
    tally.rust += usize::from(pair.emitted.is_some());
    tally.llvm += usize::from(cfg!(feature = "llvm"));
    failures
}

/// The file of `pair` up to the end of its program in Rust's spelling, with everything before that blank.
fn text_of(pair: &Pair) -> String {
    let head = format!("\n    {}(", pair.name);
    let at = pair.file.find(&head).unwrap_or_else(|| panic!("`{}` does not begin a line", pair.name));
    let open = at + pair.file[at..].find("weld!(").expect("a pair has `weld!(…)`") + "weld!(".len();
    let mut depth = 1;
    let close = pair.file[open..].find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    });
    let close = open + close.expect("the parenthesis is closed");
    let blank = pair.file[..open].chars().map(|c| if c == '\n' { '\n' } else { ' ' });
    blank.chain(pair.file[open..close].chars()).collect()
}

/// Whether a run ended as expected.
fn is(got: &Result<Value, Fault>, expected: &Outcome, text: &str) -> bool {
    match (got, expected) {
        (Ok(got), Outcome::Value(expected)) => got.same_bits(expected),
        (Err(got), Outcome::Fault(kind, token)) => {
            let line = text.lines().nth((got.position.line as usize).wrapping_sub(1)).unwrap_or_default();
            let rest: String = line.chars().skip((got.position.column as usize).saturating_sub(1)).collect();
            got.kind == *kind && rest.starts_with(token)
        }
        _ => false,
    }
}
