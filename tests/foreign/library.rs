//! A shared library made of Rust text while a test runs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds `source` as the library `name`; where it is.
///
/// # Panics
/// If it cannot be built.
pub(crate) fn build(name: &str, source: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (file, library) = (folder.join(format!("{name}.rs")), folder.join(format!("lib{name}.so")));
    std::fs::write(&file, source).unwrap();
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "--crate-type", "cdylib", "-o"]).args([&library, &file]);
    let built = rustc.output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    library
}
