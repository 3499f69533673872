//! Where functions of unknown types are found: in a shared library, or in the whole process.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

pub(super) use system::{Library, of_process};
