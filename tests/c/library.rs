//! A module of C as code in the process: compiled by the system's compiler, loaded, and linked to what it calls.
//!
//! This file may use `unsafe` because it loads code. What makes it sound: the module was printed by this test from a program that the
//! verifier accepts, its two functions have the signatures that the printer gives them, and the table that links it has an address for each
//! of its names.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, mem, process};

use weldment::Type;
use weldment::backend::{BackendError, Callees, Code, Entry, abi};

use crate::printer::{Link, Module};

/// As C means them: floats are neither fused nor widened, and integers wrap.
const FLAGS: [&str; 9] = [
    "-std=gnu11",
    "-O2",
    "-fPIC",
    "-shared",
    "-ffp-contract=off",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-w",
    "-o",
];

/// A library that is loaded. Dropping it unloads the code.
struct Library(*mut c_void);

// SAFETY: a handle of the loader may be used from any thread.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: it was loaded once, and nobody has its code any more.
        unsafe { libc::dlclose(self.0) };
    }
}

impl Library {
    fn load(path: &Path) -> Result<Library, BackendError> {
        let path = CString::new(path.as_os_str().as_bytes()).map_err(BackendError::internal)?;
        // SAFETY: the path ends in a zero, and the library has no code that runs while it is loaded.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        match handle.is_null() {
            // SAFETY: the loader has just failed, and says why.
            true => Err(BackendError::internal(unsafe { CStr::from_ptr(libc::dlerror()) }.to_string_lossy())),
            false => Ok(Library(handle)),
        }
    }

    fn symbol(&self, name: &CStr) -> Result<*mut c_void, BackendError> {
        // SAFETY: the library is loaded, and the name ends in a zero.
        let found = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        if found.is_null() { Err(BackendError::internal(name.to_string_lossy())) } else { Ok(found) }
    }
}

/// The code of a module.
pub(crate) fn code(module: &Module, types: Vec<Type>, callees: &Callees) -> Result<Code, BackendError> {
    let library = compile(&module.text)?;
    let mut table = Vec::new();
    for link in &module.links {
        table.push(match link {
            Link::Runtime(name) => abi::function(name).expect("it was printed").address,
            Link::Foreign(name) => callees[name].function(),
            Link::Shim(name) => callees[name].shim().map_or(std::ptr::null(), |shim| shim as *const ()),
        });
    }
    let [link, entry] = [library.symbol(c"weldment_link")?, library.symbol(c"weldment_main")?];
    // SAFETY: the module defines them with these signatures, and the table has as many addresses as it has names.
    unsafe {
        let link = mem::transmute::<*mut c_void, unsafe extern "C" fn(*const *const ())>(link);
        link(table.as_ptr());
        Ok(Code::new(mem::transmute::<*mut c_void, Entry>(entry), types, library))
    }
}

/// The text as a library, from a folder that is removed at once.
fn compile(text: &str) -> Result<Library, BackendError> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = env::temp_dir().join(format!("weldment-c-{}-{number}", process::id()));
    let made = (|| {
        fs::create_dir_all(&folder)?;
        let [source, object] = ["module.c", "module.so"].map(|name| folder.join(name));
        fs::write(&source, text)?;
        let output = Command::new("cc").args(FLAGS).arg(&object).arg(&source).arg("-lm").output()?;
        Ok::<_, std::io::Error>((output, object))
    })();
    let loaded = match made {
        Err(error) => {
            Err(BackendError::environment(format_args!("cc: {error}\nhelp: install a compiler of C")))
        }
        Ok((output, _)) if !output.status.success() => {
            Err(BackendError::internal(format_args!("{}\n{text}", String::from_utf8_lossy(&output.stderr))))
        }
        Ok((_, object)) => Library::load(&object),
    };
    let _ = fs::remove_dir_all(&folder);
    loaded
}
