//! What compiled code calls: functions with the C calling convention, by name.
//!
//! This folder may use `unsafe` because its functions take addresses from compiled code. What makes it sound: the
//! verifier has checked the program, the emitter passes the addresses of values whose types it knows, in the layout of
//! [`layout`](super::layout), and everything a run allocates lives until the run ends. A function that can fail
//! leaves a fault in the [`Frame`](super::memory::Frame) and says so by a null pointer or a status other than 0; none unwinds.
#![allow(unsafe_code)]

pub(crate) mod abi;

pub(crate) mod calls;

mod collected;

pub(crate) mod drive;

mod scopes;
mod sort;

pub(crate) mod table;
mod text;

mod arena;

mod merging;

pub(crate) mod words;

pub(crate) mod keys;

pub(crate) mod compare;

pub(crate) mod bytes;

pub(crate) mod math;

mod wide;

use std::ffi::CString;

use abi::Function;

/// A function for the linker.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    /// The name in IR text.
    pub(crate) name: CString,
    /// Where it is.
    pub(crate) address: usize,
}

impl Symbol {
    /// # Panics
    /// If the name holds a zero byte.
    pub(crate) fn new(name: impl Into<Vec<u8>>, address: usize) -> Symbol {
        Symbol { name: CString::new(name).expect("names are words"), address }
    }
}

/// The function `name`.
///
/// # Panics
/// If there is none: names are written in the emitter, where a test reaches each.
pub(crate) fn function(name: &str) -> Function {
    functions().find(|function| function.name == name).unwrap_or_else(|| panic!("no function {name}"))
}

/// All functions, for the linker.
pub(crate) fn symbols() -> Vec<Symbol> {
    let called = functions().map(|function| Symbol::new(function.name, function.address));
    let of_llvm = wide::functions().into_iter().map(|(name, address)| Symbol::new(name, address));
    called.chain(of_llvm).collect()
}

/// All functions.
pub(crate) fn functions() -> impl Iterator<Item = Function> {
    calls::table().into_iter().chain(collected::table()).chain(math::table())
}
