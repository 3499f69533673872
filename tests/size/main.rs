//! How much code rustc hands to LLVM for kernels of an application: what a release build of them takes is in proportion to it.
//!
//! Counted are the lines of LLVM's text before any of its passes, in a crate that has one kernel and is compiled as a release build
//! is, by the crate that a function comes from. `counts.txt` holds what they are; a count that is off by more than a twentieth
//! fails. `UPDATE_EXPECT=1 cargo test --test size` accepts those of now: read the difference before you commit it. They are those of one
//! system: another has other levels of CPUs and another standard library.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod groups;
mod project;
#[path = "../user_crate/mod.rs"]
mod user_crate;

use std::fmt::Write;
use std::path::Path;

use groups::Groups;

/// The files of `kernels`.
const KERNELS: [&str; 8] =
    ["sum", "filter", "sort", "dictionary", "fields", "dictionaries", "groups", "stencil"];

/// Fewer lines than this are no difference.
const FEW: usize = 60;

#[test]
fn kernels_are_no_more_code_than_counted() {
    let counted: Vec<(&str, Groups)> =
        KERNELS.iter().map(|&kernel| (kernel, Groups::of(&project::llvm_ir(kernel)))).collect();
    let table = table(&counted);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/size/counts.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &table).expect("the counts can be written");
        return;
    }
    let expected = std::fs::read_to_string(&path).expect("the counts are there");
    let differs = |(kernel, now): &&(&str, Groups)| {
        let expected = expected.lines().find_map(|line| Groups::from_row(line, kernel));
        !expected.is_some_and(|expected| expected.is_near(now, FEW))
    };
    let differing: Vec<&str> = counted.iter().filter(differs).map(|(kernel, _)| *kernel).collect();
    assert!(
        differing.is_empty(),
        "{differing:?} are more than a twentieth off tests/size/counts.txt (UPDATE_EXPECT=1 accepts this):\n{table}"
    );
}

/// A row for each kernel.
fn table(counted: &[(&str, Groups)]) -> String {
    let mut table = Groups::heading();
    for (kernel, groups) in counted {
        let _ = write!(table, "{}", groups.row(kernel));
    }
    table
}
