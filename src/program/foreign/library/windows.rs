//! As Windows has them.

use std::io;
use std::path::Path;

use libloading::os::windows;

/// A library that stays loaded. Loaded twice, it is the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::program::foreign) struct Library {
    /// What the system knows it by.
    handle: isize,
}

impl Library {
    /// Loads the library at `path`.
    ///
    /// # Safety
    /// It runs code of its own.
    pub(in crate::program::foreign) unsafe fn load(path: &Path) -> io::Result<Library> {
        // SAFETY: as the caller promises.
        let library = unsafe { windows::Library::new(path) }.map_err(io::Error::other)?;
        Ok(Library { handle: library.into_raw() as isize })
    }

    /// Where the function `name` is that the library itself defines.
    pub(in crate::program::foreign) fn symbol(&self, name: &str) -> Option<*const ()> {
        // SAFETY: the handle is that of a library that is never closed; its count is given back as it was.
        let library = unsafe { windows::Library::from_raw(self.handle as _) };
        let found = lookup(&library, name);
        let _ = library.into_raw();
        found
    }
}

/// Where the function `name` of the program that runs is: Windows knows no table of all that its libraries export.
pub(in crate::program::foreign) fn of_process(name: &str) -> Option<*const ()> {
    lookup(&windows::Library::this().ok()?, name)
}

fn lookup(library: &windows::Library, name: &str) -> Option<*const ()> {
    // SAFETY: the address is not used here.
    let found = unsafe { library.get::<*const ()>(name.as_bytes()) }.ok()?;
    Some(found.into_raw().map_or(std::ptr::null(), |function| function as *const ()))
}
