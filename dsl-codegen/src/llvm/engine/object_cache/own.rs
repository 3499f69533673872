//! Files that nobody but the effective user had a hand in.
//!
//! A file is looked at after it was opened, so that nobody can put another in its place between the look and the reading. It
//! is the user's own only if it is a regular file, belongs to the user, has no second name that another folder may hold, and
//! was not reached through a link.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{self, AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use rustix::process::geteuid;

/// Names that a draft tries at most: those of processes that were killed may be taken.
const NAMES: usize = 16;

/// What stands in the file `path`, from `folder` on, and what the system says of the file, if it is the user's own and has at
/// most `most` bytes.
pub(super) fn read(folder: BorrowedFd<'_>, path: &Path, most: u64) -> io::Result<(Vec<u8>, Stat)> {
    // Opening a pipe would wait for somebody to write to it, if it were allowed to wait.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = match fs::openat(folder, path, flags, Mode::empty()) {
        Err(Errno::LOOP) => return Err(io::Error::other("is a link")),
        opened => File::from(opened?),
    };
    let stat = fs::fstat(&file)?;
    check_owner(&stat)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(io::Error::other("is no regular file"));
    }
    if stat.st_nlink != 1 {
        return Err(io::Error::other(format!(
            "has {} names: another may lie where others write",
            stat.st_nlink
        )));
    }
    let size = u64::try_from(stat.st_size).unwrap_or(u64::MAX);
    if size > most {
        return Err(io::Error::other(format!("has {size} bytes, more than {most}")));
    }
    let mut bytes = Vec::with_capacity(size as usize);
    // It may have grown since.
    file.take(size).read_to_end(&mut bytes)?;
    Ok((bytes, stat))
}

/// Writes `parts`, one behind the other, to the file `name` in `folder`. Whoever reads it finds all of it, or what was there before.
pub(super) fn write(folder: BorrowedFd<'_>, name: &str, parts: &[&[u8]]) -> io::Result<()> {
    let (draft, mut file) = new_draft(folder, name)?;
    let mut finish = || {
        parts.iter().try_for_each(|part| file.write_all(part))?;
        file.sync_all()?;
        Ok(fs::renameat(folder, &draft, folder, name)?)
    };
    finish().inspect_err(|_| _ = fs::unlinkat(folder, &draft, AtFlags::empty()))
}

/// Whether what `stat` tells of belongs to the effective user.
pub(super) fn check_owner(stat: &Stat) -> io::Result<()> {
    let (owner, user) = (stat.st_uid, geteuid().as_raw());
    match owner == user {
        true => Ok(()),
        false => {
            Err(io::Error::other(format!("belongs to user {owner}, and this process is of user {user}")))
        }
    }
}

/// A new file that only the user may read and write, and its name.
fn new_draft(folder: BorrowedFd<'_>, name: &str) -> io::Result<(String, File)> {
    static DRAFTS: AtomicU64 = AtomicU64::new(0);
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut tries = 0..NAMES;
    loop {
        let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
        let draft = format!("{name}.{}-{number}.draft", process::id());
        match fs::openat(folder, &draft, flags, Mode::RUSR | Mode::WUSR) {
            Err(Errno::EXIST) if tries.next().is_some() => {}
            opened => return Ok((draft, File::from(opened?))),
        }
    }
}
