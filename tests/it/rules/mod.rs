//! The rules of the language at their edges: one program each, on many arguments, on every executor, any number of
//! threads, and however loops are cut. What is expected is written by hand, or computed by what Rust has for it.

mod along;
mod arrays;
mod arrow;
mod bytes;
mod casts;
mod columns;
mod copies;
mod dbg;
mod enums;
mod extents;
mod faults;
mod fixed;
mod fixed_arrays;
mod floats;
mod groups;
#[cfg(feature = "half")]
mod halves;
mod indices;
mod integers;
mod joins;
mod keys;
mod laws;
mod lent;
mod matches;
mod options;
mod orders;
mod parts;
mod pieces;
mod random;
mod reductions;
mod references;
mod searches;
mod sizes;
mod sorts;
mod stencils;
mod steps;
mod tables;
mod tall;
mod texts;
mod texts_like;
mod texts_made;
mod texts_parts;
mod times;
mod values;
mod versions;
mod views;
mod wide;
mod windows;

use weldment::{
    CompileOptions, Executable, Executor, Fault, Kernel, Options, Position, Program, ToProgram, Value,
};

use crate::executors::{self, Cut};
use crate::pairs::Outcome;

/// How loops are cut: as their cost says, and so that short ones are cut as well.
const CUTS: [Cut; 2] = [Cut::COST, Cut::of(3, 5)];

/// Threads of LLVM's runs.
const THREADS: [usize; 3] = [1, 2, 7];

/// `rule!(weld!(program); (arguments) => outcome, …)`: the program comes to these, everywhere.
///
/// `rule!(as written, weld!(program); …)`: without the optimiser, on every executor that runs programs at run time.
macro_rules! rule {
    (as written, weld!($($program:tt)*); $(($($arg:expr),*) => $expected:expr),* $(,)?) => {{
        let kernel = weldment::weld!($($program)*);
        let rule = crate::rules::Rule::as_written(&kernel);
        $(rule.check_at_run_time(
            &crate::rules::values::of!(kernel; $($arg),*),
            &crate::pairs::Outcome::from($expected),
        );)*
    }};
    (weld!($($program:tt)*); $(($($arg:expr),*) => $expected:expr),* $(,)?) => {{
        let kernel = weldment::weld!($($program)*);
        let rule = crate::rules::Rule::new(&kernel, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", file!())));
        $(rule.check(
            &crate::rules::values::of!(kernel; $($arg),*),
            &crate::pairs::Outcome::from($expected),
            |options| kernel.with(options).call($($arg),*).map(|value| weldment::Element::to_value(&value)),
        );)*
    }};
}
use rule;

/// A program, ready to run in every way.
struct Rule {
    /// The text that the places of a run-time program are in.
    source: String,
    /// The text that the places of the kernel are in.
    file: &'static str,
    /// By each executor at run time, cut in each way: its name, and on which threads to run it.
    compiled: Vec<(&'static str, Cut, &'static [usize], Executable)>,
}

impl Rule {
    fn new<F>(kernel: &Kernel<F>, file: &'static str) -> Rule {
        Rule::of(kernel, file, &CompileOptions::default())
    }

    fn as_written<F>(kernel: &Kernel<F>) -> Rule {
        Rule::of(kernel, "", &CompileOptions { optimize: false, ..CompileOptions::default() })
    }

    fn of<F>(kernel: &Kernel<F>, file: &'static str, options: &CompileOptions) -> Rule {
        let program: Program = kernel.program();
        let mut compiled = Vec::new();
        for cut in CUTS {
            let mut compile = |name, executor, threads| {
                let Cut { chunk, segment } = cut;
                let options = CompileOptions { executor, chunk, segment, ..options.clone() };
                let executable = program.compile(&options).expect("every executor runs it");
                compiled.push((name, cut, threads, executable));
            };
            compile("the interpreter", Executor::Interpreter, &THREADS[..1]);
            #[cfg(feature = "llvm")]
            compile("LLVM", Executor::Llvm, &THREADS[..]);
        }
        Rule { source: kernel.source().to_owned(), file, compiled }
    }

    fn check(&self, args: &[Value], expected: &Outcome, emitted: impl Fn(&Options) -> Result<Value, Fault>) {
        self.check_at_run_time(args, expected);
        for way in CUTS.into_iter().flat_map(executors::emitted_ways) {
            self.verify(&emitted(&way), (args, expected), self.file, "emitted Rust", &way);
        }
    }

    fn check_at_run_time(&self, args: &[Value], expected: &Outcome) {
        for (name, cut, threads, executable) in &self.compiled {
            for &threads in *threads {
                let way = cut.on(threads, None);
                let got = executable.run_with(&way, args);
                self.verify(&got, (args, expected), &self.source, name, &way);
            }
        }
    }

    /// That a run by `executor` came to what is expected of these arguments; a fault stands at a place in `text`.
    fn verify(
        &self,
        got: &Result<Value, Fault>,
        (args, expected): (&[Value], &Outcome),
        text: &str,
        executor: &str,
        way: &Options,
    ) {
        if !comes_to(got, expected, text) {
            let at = got.as_ref().err().map(|fault| rest_of_line(text, fault.position));
            panic!(
                "{executor}, {way:?}\non {args:?}\ngot {got:?}, {at:?}\nexpected {expected:?}\n{}",
                self.source
            );
        }
    }
}

/// Whether a run ended as expected; a fault stands at a place in `text`.
fn comes_to(got: &Result<Value, Fault>, expected: &Outcome, text: &str) -> bool {
    match (got, expected) {
        (Ok(got), Outcome::Value(expected)) => got.same_bits(expected),
        (Err(got), Outcome::Fault(kind, token)) => {
            got.kind == *kind && closed_up(rest_of_line(text, got.position)).starts_with(&closed_up(token))
        }
        _ => false,
    }
}

/// `text` without spaces: how much there is between tokens depends on who prints them.
fn closed_up(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// What of `text` begins at `position`, to the end of the line.
fn rest_of_line(text: &str, position: Position) -> &str {
    let line = text.lines().nth((position.line as usize).wrapping_sub(1)).unwrap_or_default();
    let start = line.char_indices().nth((position.column as usize).wrapping_sub(1));
    start.map_or("", |(start, _)| &line[start..])
}
