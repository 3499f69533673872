//! Foreign functions as what runs a program gets them: by name, each with what is called.
//!
//! Who compiles a program has decided by then which functions it may call, and has found each: executors look for none,
//! so that a program reaches the functions that it was given and no others.
//!
//! This file may use `unsafe` because whoever names an address vouches for what is there.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::fmt;

/// The functions that a program may call, by the names by which it does.
pub type Callees = BTreeMap<String, Callee>;

/// Calls the function of Rust at `function` with the arguments that `args` point to, one each, and writes what it gives to
/// `result`. It may unwind.
pub type Shim = unsafe fn(function: *const (), args: *const *const u8, result: *mut u8);

/// What a program calls by a name. Those that are equal are the same function.
#[derive(Clone, Copy)]
pub struct Callee {
    function: usize,
    shim: Option<Shim>,
}

impl Callee {
    /// The C function `void f(const A *, …, T *)` at `function`.
    ///
    /// # Safety
    /// It may be called from any thread for the rest of the process, with as many arguments and of the types that the
    /// programs write which it is given to, and does not unwind.
    pub unsafe fn of_c(function: *const ()) -> Callee {
        Callee { function: function.expose_provenance(), shim: None }
    }

    /// The function of Rust at `function`, which `shim` calls.
    ///
    /// # Safety
    /// `shim` may call it from any thread for the rest of the process, with as many arguments and of the types that the
    /// programs write which it is given to.
    pub unsafe fn of_rust(function: *const (), shim: Shim) -> Callee {
        Callee { function: function.expose_provenance(), shim: Some(shim) }
    }

    /// The address of the function.
    pub fn function(self) -> *const () {
        std::ptr::with_exposed_provenance(self.function)
    }

    /// What calls the function, if it is one of Rust.
    pub fn shim(self) -> Option<Shim> {
        self.shim
    }

    fn addresses(self) -> (usize, Option<usize>) {
        (self.function, self.shim.map(|shim| shim as usize))
    }
}

impl PartialEq for Callee {
    fn eq(&self, other: &Callee) -> bool {
        self.addresses() == other.addresses()
    }
}

impl Eq for Callee {}

/// The addresses, which are the whole of it: equal texts are equal functions.
impl fmt::Debug for Callee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (function, shim) = self.addresses();
        match shim {
            None => write!(f, "{function:#x}"),
            Some(shim) => write!(f, "{function:#x} by {shim:#x}"),
        }
    }
}
