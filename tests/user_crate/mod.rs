//! A crate of a user's that has weldment for a dependency, written and compiled by a test.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A crate, and the folder that what is compiled of it goes to.
pub(crate) struct UserCrate {
    folder: PathBuf,
}

impl UserCrate {
    /// The crate `name`, whose manifest ends with `profiles`. What it had in an earlier run stays.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn new(name: &str, profiles: &str) -> io::Result<UserCrate> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let user = UserCrate { folder: Path::new(env!("CARGO_TARGET_TMPDIR")).join(name) };
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nweldment = {{ path = {root:?} }}\n\n{profiles}\n[workspace]\n"
        );
        user.write("Cargo.toml", &manifest)?;
        // The versions that the tests themselves are built with: they are at hand without a network.
        user.write("Cargo.lock", &fs::read_to_string(root.join("Cargo.lock"))?)?;
        Ok(user)
    }

    /// Writes a file of the crate; one that is there as it is to be stays, since cargo builds anew what was written after the last build.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write(&self, path: impl AsRef<Path>, text: &str) -> io::Result<()> {
        let path = self.folder.join(path);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return Ok(());
        }
        fs::create_dir_all(path.parent().expect("a file is in a folder"))?;
        fs::write(path, text)
    }

    /// Cargo, to be told what to do with the crate. Flags are not those of the tests: it is not what these measure or lint.
    pub(crate) fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args([command, "--quiet", "--offline"]).current_dir(&self.folder);
        cargo.env("CARGO_TARGET_DIR", self.target()).env_remove("RUSTFLAGS");
        cargo
    }

    /// Where what is compiled goes to.
    pub(crate) fn target(&self) -> PathBuf {
        self.folder.join("target")
    }
}

/// What `command` printed.
///
/// # Errors
/// It failed: what it said.
pub(crate) fn succeed(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
}
