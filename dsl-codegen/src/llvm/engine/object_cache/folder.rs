//! The folder that object code is kept in: one that nobody but the effective user can write to, or else there is none.

use std::fs::DirBuilder;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::{self, CWD, Mode, OFlags};
use rustix::io::Errno;

use super::{own, secret};

/// Larger files are neither read nor written.
pub(super) const LARGEST: u64 = 64 << 20;

/// A folder that only the user may read and write, and the key of what is in it.
#[derive(Debug)]
pub(in crate::llvm) struct Folder {
    fd: OwnedFd,
    pub(super) key: [u8; blake3::KEY_LEN],
}

impl Folder {
    /// The folder `path`, made if it is not there, with the key in the file `key`, or in the user's own, made likewise.
    ///
    /// What it is now stays true: to change the mode or the owner takes the user, or who may do anything.
    pub(in crate::llvm) fn open(path: &Path, key: Option<&Path>) -> Result<Folder, String> {
        // Behind a link a slash would be another way to write where it leads to.
        let path: PathBuf = path.components().collect();
        let fd = open_own(&path).map_err(|error| format!("the folder `{}`: {error}", path.display()))?;
        let key = match key {
            Some(file) => secret::read_or_make(file, &path)?,
            None => secret::read_or_make(&secret::default_file()?, &path)?,
        };
        Ok(Folder { fd, key })
    }

    /// What stands in the file `name`, if it is the user's own.
    pub(super) fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        Ok(own::read(self.fd.as_fd(), Path::new(name), LARGEST)?.0)
    }

    /// Writes `parts`, one behind the other, to the file `name`, all or nothing.
    pub(super) fn write(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        let size: u64 = parts.iter().map(|part| part.len() as u64).sum();
        if size > LARGEST {
            return Err(io::Error::other(format!("{size} bytes are more than the {LARGEST} of a file")));
        }
        own::write(self.fd.as_fd(), name, parts)
    }
}

fn open_own(path: &Path) -> io::Result<OwnedFd> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fd = match fs::openat(CWD, path, flags, Mode::empty()) {
        // Systems answer one or the other.
        Err(Errno::LOOP | Errno::NOTDIR) => {
            return Err(io::Error::other("is a link: name the folder itself"));
        }
        opened => opened?,
    };
    let stat = fs::fstat(&fd)?;
    own::check_owner(&stat)?;
    match Mode::from_raw_mode(stat.st_mode) & (Mode::RWXU | Mode::RWXG | Mode::RWXO) {
        Mode::RWXU => Ok(fd),
        mode => Err(io::Error::other(format!(
            "has mode {:03o}, and what is kept is run: nobody else may write to it\nhelp: chmod 700 {}",
            mode.as_raw_mode(),
            path.display()
        ))),
    }
}
