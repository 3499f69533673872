//! A shared library made of Rust text while a test runs: the foreign functions of programs at run time.
#![allow(unsafe_code)]

use std::path::Path;
use std::process::Command;

/// Builds `source` as the library `name`, and loads it for the rest of the process.
///
/// # Panics
/// If it cannot be built or loaded.
///
/// # Safety
/// `source` runs nothing when it is loaded, and programs call its functions by their types.
pub(crate) unsafe fn load(name: &str, source: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (file, library) = (folder.join(format!("{name}.rs")), folder.join(format!("lib{name}.so")));
    std::fs::write(&file, source).unwrap();
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "--crate-type", "cdylib", "-o"]).args([&library, &file]);
    let built = rustc.output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    // SAFETY: the caller vouches for what is in it.
    unsafe { weldment::load_library(&library) }.unwrap();
}
