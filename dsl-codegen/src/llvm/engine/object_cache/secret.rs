//! The key that tells files of ours from files of others: 32 random bytes in a file that only the user may read.
//!
//! It lies outside the folder of the object code, so that whoever gets to write there all the same, through a backup or a volume
//! that others mount, cannot make a file that is believed. Two processes that make the file at once may use two keys for a moment; what
//! one of them keeps with the key that is lost is compiled again.

use std::env;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags};

use super::own;

/// Its bytes.
const LEN: usize = blake3::KEY_LEN;

/// The file of the key, where nobody names another: in the user's folder for what programs remember.
pub(super) fn default_file() -> Result<PathBuf, String> {
    let absolute = |folder: PathBuf| folder.is_absolute().then_some(folder);
    let state = env::var_os("XDG_STATE_HOME").map(PathBuf::from).and_then(absolute);
    let home = || env::home_dir().and_then(absolute).map(|home| home.join(".local/state"));
    let state = state.or_else(home).ok_or(
        "there is no place for the key: neither `XDG_STATE_HOME` nor `HOME` is the path of a folder\n\
         help: name a file for it by `cache_key`",
    )?;
    Ok(state.join("weldment").join("cache.key"))
}

/// The key in `file`, which is made if it is not there, outside `folder`.
pub(super) fn read_or_make(file: &Path, folder: &Path) -> Result<[u8; LEN], String> {
    let at = |error: io::Error| format!("the key `{}`: {error}", file.display());
    let (Some(parent), Some(name)) = (file.parent(), file.file_name().and_then(|name| name.to_str())) else {
        return Err(format!("the key `{}`: this is no path of a file", file.display()));
    };
    let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    DirBuilder::new().recursive(true).mode(0o700).create(parent).map_err(at)?;
    let inside =
        fs::canonicalize(parent).and_then(|parent| Ok(parent.starts_with(fs::canonicalize(folder)?)));
    if inside.map_err(at)? {
        return Err(format!("the key `{}` must not lie in the folder whose files it proves", file.display()));
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let parent = rustix::fs::openat(CWD, parent, flags, Mode::empty()).map_err(|error| at(error.into()))?;
    let read = || own::read(parent.as_fd(), Path::new(name), LEN as u64);
    let found = match read() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let key = random().map_err(at)?;
            own::write(parent.as_fd(), name, &[&key]).map_err(at)?;
            // Another process may have been faster, or slower.
            read()
        }
        found => found,
    };
    let (bytes, stat) = found.map_err(at)?;
    let mode = Mode::from_raw_mode(stat.st_mode);
    if mode.intersects(Mode::RWXG | Mode::RWXO) {
        let mode = mode.as_raw_mode();
        return Err(at(io::Error::other(format!(
            "has mode {mode:03o}, so that others know it\nhelp: remove it; a new one is made, with mode 600"
        ))));
    }
    bytes.try_into().map_err(|_| {
        at(io::Error::other(format!("has fewer bytes than {LEN}\nhelp: remove it; a new one is made")))
    })
}

fn random() -> io::Result<[u8; LEN]> {
    let mut key = [0; LEN];
    File::open("/dev/urandom")?.read_exact(&mut key)?;
    Ok(key)
}
