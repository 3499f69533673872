//! As systems like Unix have them.

use std::ffi::{CStr, CString, c_void};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

/// A shared library that stays loaded. Loaded twice, it is the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::program::foreign) struct Library {
    /// What the system knows it by.
    handle: usize,
}

impl Library {
    /// Loads the library at `path`. Its functions are not put in reach of other libraries, or of the process.
    ///
    /// # Safety
    /// It runs code of its own.
    pub(in crate::program::foreign) unsafe fn load(path: &Path) -> io::Result<Library> {
        let path = CString::new(path.as_os_str().as_bytes())?;
        // SAFETY: as the caller promises; the path ends in a zero.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if !handle.is_null() {
            return Ok(Library { handle: handle.expose_provenance() });
        }
        // SAFETY: the text of the last error of this thread is there until the next call.
        let error = unsafe { libc::dlerror() };
        let error = match error.is_null() {
            true => "the system gives no reason".into(),
            // SAFETY: it is not null, and ends in a zero.
            false => unsafe { CStr::from_ptr(error) }.to_string_lossy().into_owned(),
        };
        Err(io::Error::other(error))
    }

    /// Where the function `name` is that the library itself defines: the system would look into the libraries that it depends
    /// on as well, and so into that of C.
    pub(in crate::program::foreign) fn symbol(&self, name: &str) -> Option<*const ()> {
        let found = lookup(ptr::with_exposed_provenance_mut(self.handle), name)?;
        (owner(found)? == self.handle).then_some(found)
    }
}

/// Where the function `name` of the process is.
pub(in crate::program::foreign) fn of_process(name: &str) -> Option<*const ()> {
    lookup(libc::RTLD_DEFAULT, name)
}

fn lookup(handle: *mut c_void, name: &str) -> Option<*const ()> {
    let name = CString::new(name).ok()?;
    // SAFETY: the name ends in a zero, and libraries stay loaded. The address is not used here.
    let found = unsafe { libc::dlsym(handle, name.as_ptr()) };
    (!found.is_null()).then_some(found.cast_const().cast())
}

/// The library that holds `address`, as the system knows it; none for what is not known to be in one.
fn owner(address: *const ()) -> Option<usize> {
    let mut info = libc::Dl_info {
        dli_fname: ptr::null(),
        dli_fbase: ptr::null_mut(),
        dli_sname: ptr::null(),
        dli_saddr: ptr::null_mut(),
    };
    // SAFETY: any address may be asked for.
    let is_known = unsafe { libc::dladdr(address.cast(), &mut info) } != 0 && !info.dli_fname.is_null();
    if !is_known {
        return None;
    }
    // SAFETY: the name ends in a zero. Nothing is loaded: what has that name is, or there is none. Closing it undoes the count
    // of this look-up alone.
    unsafe {
        let handle = libc::dlopen(info.dli_fname, libc::RTLD_NOW | libc::RTLD_NOLOAD);
        if handle.is_null() {
            return None;
        }
        libc::dlclose(handle);
        Some(handle.addr())
    }
}
