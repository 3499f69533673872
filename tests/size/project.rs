//! A crate of one kernel, and what rustc makes of it.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Only what is generic is compiled with the kernel: all else need not be optimised here. But what the optimiser of rustc makes of
/// generic functions is in the crate that has them.
const PROFILE: &str = "\
[profile.release]
codegen-units = 1
[profile.release.build-override]
opt-level = 0
[profile.release.package.\"*\"]
opt-level = 0
[profile.release.package.weldment-runtime]
opt-level = 3
";

/// The text of LLVM, before its passes, of a crate that has the kernel alone.
///
/// # Panics
/// If it does not compile.
pub(crate) fn llvm_ir(kernel: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("size");
    write(&folder, kernel).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let text = folder.join(format!("{kernel}.ll"));
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["rustc", "--quiet", "--offline", "--release", "--lib", "--", "-Cno-prepopulate-passes"]);
    cargo.arg(format!("--emit=llvm-ir={}", text.display()));
    cargo.current_dir(&folder).env("CARGO_TARGET_DIR", folder.join("target")).env_remove("RUSTFLAGS");
    let output = cargo.output().expect("cargo can be run");
    assert!(output.status.success(), "{kernel}: {}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(&text).unwrap_or_else(|error| panic!("{}: {error}", text.display()))
}

fn write(folder: &Path, kernel: &str) -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::create_dir_all(folder.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"size\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nweldment = {{ path = {root:?} }}\n\n{PROFILE}\n[workspace]\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    // The versions that the tests themselves are built with: they are at hand without a network.
    fs::write(folder.join("Cargo.lock"), fs::read_to_string(root.join("Cargo.lock"))?)?;
    fs::copy(root.join(format!("tests/size/kernels/{kernel}.rs")), folder.join("src/lib.rs"))?;
    Ok(())
}
