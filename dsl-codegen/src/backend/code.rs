//! Machine code in the process, and its call.
//!
//! This file may use `unsafe` because it calls code by its address. What makes it sound: whoever makes a [`Code`] vouches for what is
//! there, arguments outlive the call, and results are read before the run's memory is freed.
#![allow(unsafe_code)]

use std::any::Any;
use std::ffi::c_void;
use std::fmt;

use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::types::Type;

use super::call::{Call, Given};
use super::marshal::room;
use super::native::Native;
use crate::llvm::layout::offsets;
use crate::llvm::memory::Run;

/// The entry of machine code: `int32_t entry(void *frame, const void *args, void *result)`. The arguments are the fields of the
/// struct at `args`, and the result goes to `result`, in the layout of [`abi`](super::abi). It gives 0, or, after a fault was
/// left in the frame by a function of `abi`, 1.
pub type Entry = unsafe extern "C" fn(frame: *mut c_void, args: *const u8, result: *mut u8) -> i32;

/// Machine code of a program, with its entry.
pub struct Code {
    entry: Entry,
    types: Vec<Type>,
    /// Keeps the code in the process.
    _owner: Box<dyn Any + Send + Sync>,
}

impl Code {
    /// The code at `entry`, which calls functions of [`abi`](super::abi) that know a type of `types` by its index. The code stays
    /// in the process as long as `owner` lives.
    ///
    /// # Safety
    /// What is at `entry` may be called from any thread, on many at once, with arguments and room for a result of the types of the program
    /// that it is run as; it uses the functions of `abi` as that says, and it does not unwind.
    pub unsafe fn new(entry: Entry, types: Vec<Type>, owner: impl Any + Send + Sync) -> Code {
        Code { entry, types, _owner: Box::new(owner) }
    }

    /// Runs the code: arguments are read in place where they lie as the code reads them, else converted, and what it has written is
    /// the result, without a copy where that can be.
    ///
    /// # Errors
    /// The fault that ends the run.
    ///
    /// # Panics
    /// If a callback of the caller's panics.
    pub fn run(&self, call: Call<'_>) -> Result<Given, Fault> {
        let (context, params, result) = (call.context(), call.params(), call.result());
        // What arguments are converted to is not the program's memory, and has no limit.
        let inputs = Run::unlimited(context, &self.types);
        let mut inputs_frame = inputs.frame();
        let whole = Type::structure(params.iter().cloned());
        let arguments = room(&mut inputs_frame, &whole)?;
        for ((arg, ty), offset) in call.native_args().iter().zip(params).zip(offsets(params)) {
            debug_assert!(arg.has_type(ty), "the types of arguments are checked before");
            // SAFETY: the offset is inside the block that was allocated for the struct of all parameters.
            unsafe { arg.write(&mut inputs_frame, ty, arguments.add(offset as usize))? };
        }
        let run = Run::new(context, &self.types);
        let mut frame = run.frame();
        let place = room(&mut frame, result)?;
        // SAFETY: the entry takes arguments and result in these layouts, and the code is loaded as long as `self`.
        let status = unsafe { (self.entry)((&raw mut frame).cast(), arguments, place) };
        if let Some(payload) = run.take_panic() {
            drop(frame);
            std::panic::resume_unwind(payload);
        }
        match status {
            // SAFETY: the code has written a result of this type, and nobody else has anything of it.
            0 => call.give_native(unsafe { Native::new(&run, result, place) }),
            _ => Err(frame.take_fault()),
        }
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "code at {:#x}", self.entry as usize)
    }
}
