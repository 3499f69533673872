//! IR text in, formatted Rust out.

mod angles;
mod collect;
mod control;
mod fission;
mod folds;
mod joins;
mod keyed;
mod prologue;
mod ragged;
mod reduce;

use expect_test::Expect;
use quote::quote;
use weldment_core::ir;
use weldment_core::source::Positions;
use weldment_runtime::lang::fault::Position;

use super::{About, Paths, emit};
use crate::loops::{self, Options};

/// The kernel, as a constant. What stands `@0` in the text stands at 3:14 in the source.
fn kernel(source: &str) -> String {
    let program = ir::parse(&format!("weldment ir 1\n{source}")).expect("the test parses");
    ir::verify(&program).expect("the test is well formed");
    let program = loops::build(&program, &Options::default());
    let mut positions = Positions::new();
    positions.push(Position { line: 3, column: 14 });
    let paths = Paths::new(quote!(weldment));
    let about = About { source: "source".to_owned(), explanation: "explanation".to_owned(), depends: None };
    let kernel = emit(&program, &positions, &[], &paths, &about).expect("the test can be emitted");
    // Paths are shortened for the reader.
    let shortened = kernel
        .to_string()
        .replace("weldment :: __private :: rt :: ", "")
        .replace("weldment :: __private :: ", "");
    let file = syn::parse_str(&format!("const KERNEL: K = {shortened};")).expect("an expression");
    prettyplease::unparse(&file)
}

/// Checks the function that does the work.
fn check(source: &str, expected: Expect) {
    let kernel = kernel(source);
    let run = kernel.lines().skip_while(|line| !line.contains("fn run("));
    let mut is_inside = true;
    let run = run.take_while(|&line| std::mem::replace(&mut is_inside, line != "        }"));
    let run: Vec<_> = run.map(|line| line.strip_prefix("        ").unwrap_or(line)).collect();
    expected.assert_eq(&(run.join("\n") + "\n"));
}
