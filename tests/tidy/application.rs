//! What an application compiles for its target when it uses the facade without features.

use std::process::Command;

use crate::files::root;

/// Ours, then what the runtime stands on.
const COMPILED: [&str; 11] = [
    "weldment",
    "weldment-runtime",
    "crossbeam-deque",
    "crossbeam-epoch",
    "crossbeam-utils",
    "either",
    "libc",
    "libm",
    "memchr",
    "rayon",
    "rayon-core",
];

#[test]
fn an_application_compiles_the_facade_and_the_runtime() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(["tree", "--offline", "--locked", "--package", "weldment"]);
    cargo.args(["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]);
    let output = cargo.output().expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo tree: {errors}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut packages: Vec<_> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    packages.sort();
    packages.dedup();
    let mut expected = COMPILED;
    expected.sort();
    assert_eq!(packages, expected);
}
