//! `dbg`: what is shown, and how often, on every executor, optimised and as it is written, on several threads.

mod counts;
mod lines;
mod loops;
mod values;

use std::sync::{Arc, Mutex};

use weldment::{CompileOptions, Executable, Executor, Fault, Kernel, Options, Program, ToProgram, Value};

use crate::executors::{self, Cut};

/// How loops are cut: as their cost says, and into chunks of one iteration.
const CUTS: [Cut; 2] = [Cut::COST, Cut::of(1, 1)];

/// `shows!(weld!(program); (arguments) => lines, …)`: each run shows these lines, in any order.
macro_rules! shows {
    (weld!($($program:tt)*); $(($($arg:expr),*) => $lines:expr),* $(,)?) => {{
        let kernel = weldment::weld!($($program)*);
        let ways = crate::rules::dbg::Ways::of(&kernel);
        $(ways.check(
            &crate::rules::values::of!(kernel; $($arg),*),
            &$lines,
            |options| kernel.with(options).call($($arg),*).map(drop),
        );)*
    }};
}
use shows;

/// A program, ready to run at run time in every way: how that is, with which options to run it.
struct Ways(Vec<(String, Options, Executable)>);

impl Ways {
    fn of<F>(kernel: &Kernel<F>) -> Ways {
        let program: Program = kernel.program();
        let mut ways = Vec::new();
        for (optimize, cut) in [(true, CUTS[0]), (true, CUTS[1]), (false, CUTS[0])] {
            let mut add = |executor: Executor, threads: &[usize]| {
                let Cut { chunk, segment } = cut;
                let name = format!("{executor:?}, optimised: {optimize}, {cut:?}");
                let options =
                    CompileOptions { executor, optimize, chunk, segment, ..CompileOptions::default() };
                for &threads in threads {
                    let executable = program.compile(&options).expect("every executor runs it");
                    ways.push((format!("{name}, {threads} threads"), cut.on(threads, None), executable));
                }
            };
            add(Executor::Interpreter, &[1]);
            #[cfg(feature = "llvm")]
            add(Executor::Llvm, &[1, 2, 3]);
        }
        Ways(ways)
    }

    fn check(&self, args: &[Value], expected: &[&str], emitted: impl Fn(&Options) -> Result<(), Fault>) {
        for (way, options, executable) in &self.0 {
            let shown = shown(options, |options| executable.run_with(options, args).map(drop));
            assert_eq!(shown, sorted(expected), "{way}, {args:?}");
        }
        for way in CUTS.into_iter().flat_map(executors::emitted_ways) {
            assert_eq!(shown(&way, &emitted), sorted(expected), "emitted Rust, {way:?}, {args:?}");
        }
    }
}

/// What a run shows, in order. Whether it ends in a fault is of no interest.
fn shown(options: &Options, run: impl Fn(&Options) -> Result<(), Fault>) -> Vec<String> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let to = lines.clone();
    let options = options.clone().on_dbg(move |dbg| to.lock().unwrap().push(dbg.text.to_owned()));
    run(&options).ok();
    let mut lines = std::mem::take(&mut *lines.lock().unwrap());
    lines.sort();
    lines
}

fn sorted(lines: &[&str]) -> Vec<String> {
    let mut lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
    lines.sort();
    lines
}
