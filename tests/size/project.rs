//! A crate of one kernel, and what rustc makes of it.

use std::fs;
use std::io;
use std::path::Path;

use crate::user_crate::{UserCrate, succeed};

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
    let user = write(kernel).unwrap_or_else(|error| panic!("the crate of {kernel}: {error}"));
    let text = user.target().join(format!("{kernel}.ll"));
    let mut cargo = user.cargo("rustc");
    cargo.args(["--release", "--lib", "--", "-Cno-prepopulate-passes"]);
    cargo.arg(format!("--emit=llvm-ir={}", text.display()));
    succeed(&mut cargo).unwrap_or_else(|error| panic!("{kernel}: {error}"));
    fs::read_to_string(&text).unwrap_or_else(|error| panic!("{}: {error}", text.display()))
}

fn write(kernel: &str) -> io::Result<UserCrate> {
    let user = UserCrate::new("size", PROFILE)?;
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/size/kernels");
    user.write("src/lib.rs", &fs::read_to_string(kernels.join(format!("{kernel}.rs")))?)?;
    Ok(user)
}
