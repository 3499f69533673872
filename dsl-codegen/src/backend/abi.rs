//! What machine code and the runtime agree on: where values stand in memory, and the functions that the code may call.
//!
//! # Values in memory
//! Everything is little-endian, and laid out as C does it.
//!
//! | type | in memory |
//! |---|---|
//! | integers, floats | themselves, aligned to their size; an `i128` as that of Rust, and in captures, states and rows of dictionaries to 8 bytes only |
//! | `bool` | a byte, 0 or 1 |
//! | struct | its fields in order, each at the next offset that its alignment allows: [`offsets`]; a unit has no bytes |
//! | vector | [`vector`] says how many bytes it takes, and where in them the address of the elements and their number (an `i64`) stand; what else it has means nothing. Elements stand side by side |
//! | dictionary | a pointer, null if it is empty; what is behind it is the runtime's |
//!
//! The arguments of a program are one struct. What they refer to is never written to. The address of no elements is not null and
//! aligned to 64 bytes; it is not read. Vectors may share elements, since nobody writes to elements that a vector has.
//!
//! # The frame
//! Functions of the code take the *frame* of the thread first, and hand it on to every function that takes one. It holds the fault that
//! ends the run, if there is one, and cuts small blocks. What is allocated in it belongs to the run, which frees it.
//! A function that can fault gives a status, 0 or 1, or a pointer, which is null then; after that, the code must return 1 at once.
//!
//! # Functions
//! [`functions`] gives their addresses. Signatures are those of C, with `ptr` for every pointer.
//!
//! | function | parameters | what it does |
//! |---|---|---|
//! | `weldment_alloc` | frame, bytes, alignment | a block, not initialised; counted. Faults |
//! | `weldment_regrow` | frame, block, used bytes, bytes, alignment | a larger block that begins with what is used of the old one, which is given up. Faults |
//! | `weldment_release` | frame, block, bytes | gives up a block of at least so many bytes |
//! | `weldment_poll` | frame | a status: whether the run goes on. Faults |
//! | `weldment_raise` | frame, [`Cause`], four numbers, line, column | leaves a fault in the frame |
//! | `weldment_drive` | frame, descriptor, iterations, captures, total | a loop over all threads: below. Faults |
//! | `weldment_append` | frame, whole, part, bytes of an element, alignment | in `merge`: puts the growing vector `part` behind `whole`, once the loop is done |
//! | `weldment_sort` | frame, elements, length, bytes of an element, alignment, comparator, captures | the elements in order, in a new block. The comparator is `i32 (frame, captures, a, b, i32 *order)`. Faults |
//! | `weldment_sort_by_key` | the same, then type of the key, descending, offset | the same by a scalar key, which `i32 (frame, captures, element, key)` writes; `offset` is where an element has it, or −1. Faults |
//! | `weldment_order` | frame, type, a, b | −1, 0 or 1, and 2 where a NaN decides |
//! | `weldment_total_order` | frame, type, a, b | −1, 0 or 1 in the total order |
//! | `weldment_ranked` | frame, type of a number, numbers, length, place, result | a status; the number of this place in ascending order, and the one behind it. There is a number. Faults |
//! | `weldment_text` | number of the [function](weldment_runtime::lang::text::TextFn::ALL), bytes, length, bytes, length, number, result | what it gives. What a function does not take is null, or zero |
//! | `weldment_write` | frame, number of the [function](weldment_runtime::lang::write::WriteFn::ALL), struct of its arguments, vector | a status; the bytes of a new text. Faults |
//! | `weldment_dbg` | frame, bytes, length, line, column | a status; shows a text, which `dbg` at this place is of. Faults |
//! | `weldment_serialize` | frame, type, value, vector | a status; the bytes of the value. Faults |
//! | `weldment_deserialize` | frame, type, bytes, length, place, line, column | a status; the value of bytes. Faults |
//! | `weldment_call` | frame, shim, function, arguments, result | a status; calls a foreign function of Rust ([`Callee::shim`](crate::foreign::Callee::shim)) on an array of addresses. Faults |
//! | `weldment_`name`_f64`, `_f32` | one or two floats | the math function with the bits of every executor; `power` also of i64 and u64, `remainder` is `%` of floats |
//! | `weldment_power_i128` | base, exponent, result | pointers to an i128 each, aligned to 8 bytes at least |
//!
//! A type is told by its index among those of the [`Code`](super::Code). A growing vector is three words: the address of its block, or null,
//! its length and how many elements there is room for.
//!
//! # Loops over all threads
//! `weldment_drive` runs the four blocks of a [`Split`](crate::imp::Split). The descriptor is
//!
//! ```c
//! struct { i32 (*init)(frame, captures, state, i64 lo, i64 hi); i32 (*update)(frame, captures, state, totals, i64 lo, i64 hi);
//!          i32 (*add)(frame, captures, total, totals); i32 (*merge)(frame, captures, total, state);
//!          i64 state_bytes, totals_bytes, chunk, task, segment; };
//! ```
//!
//! `captures` is read by all, on any thread. `state` is a record of the task, `totals` one of the chunk, both zeros at first and of whole words;
//! `total` is the caller's. `init` begins a task, `update` runs a chunk of it, in order; `add` and `merge` are called for chunks and tasks in order, by one
//! thread at a time. `chunk` is [`Plan::chunk`](crate::imp::Plan), `task` is [`Task::number`](crate::imp::Task::number), and `segment`
//! the length of segments, or 0 for the rule's. What `weldment_append` was told is in its place when `weldment_drive` returns.

use weldment_runtime::lang::types::Type;

use crate::llvm::layout::{self, Layout};
use crate::llvm::runtime;
pub use crate::llvm::runtime::calls::Cause;

/// The functions that [the documentation](self) tells of, but for those of mathematics.
const NAMED: [&str; 18] = [
    "weldment_alloc",
    "weldment_regrow",
    "weldment_release",
    "weldment_poll",
    "weldment_raise",
    "weldment_drive",
    "weldment_append",
    "weldment_sort",
    "weldment_sort_by_key",
    "weldment_order",
    "weldment_total_order",
    "weldment_ranked",
    "weldment_text",
    "weldment_write",
    "weldment_dbg",
    "weldment_serialize",
    "weldment_deserialize",
    "weldment_call",
];

/// What a function takes or gives.
///
/// ```
/// use weldment_codegen::backend::abi::{Word, function};
/// assert_eq!(function("weldment_alloc").unwrap().params, [Word::Pointer, Word::I64, Word::I64]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// `void *`
    Pointer,
    /// `int32_t`
    I32,
    /// `int64_t`
    I64,
    /// `float`
    F32,
    /// `double`
    F64,
}

/// A function that machine code may call.
///
/// ```
/// use weldment_codegen::backend::abi::{Word, function};
/// assert_eq!(function("weldment_poll").unwrap().result, Some(Word::I32));
/// ```
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// What it gives.
    pub result: Option<Word>,
    /// What it takes.
    pub params: Vec<Word>,
    /// Where it is, for the rest of the process.
    pub address: *const (),
}

/// All functions.
///
/// ```
/// use weldment_codegen::backend::abi::functions;
/// assert!(functions().any(|function| function.name == "weldment_sin_f32"));
/// ```
pub fn functions() -> impl Iterator<Item = Function> {
    let is_math =
        |name: &str| name.ends_with("_f64") || name.ends_with("_f32") || name.starts_with("weldment_power_");
    runtime::functions().filter(move |function| NAMED.contains(&function.name) || is_math(function.name)).map(
        |function| Function {
            name: function.name,
            result: word(function.result),
            params: function.params.iter().filter_map(|param| word(param)).collect(),
            address: std::ptr::with_exposed_provenance(function.address),
        },
    )
}

/// The function of this name.
///
/// ```
/// use weldment_codegen::backend::abi::function;
/// assert!(function("weldment_hypot_f64").is_some() && function("malloc").is_none());
/// ```
pub fn function(name: &str) -> Option<Function> {
    functions().find(|function| function.name == name)
}

fn word(llvm: &str) -> Option<Word> {
    match llvm {
        "void" | "" => None,
        "i32" => Some(Word::I32),
        "i64" => Some(Word::I64),
        "float" => Some(Word::F32),
        "double" => Some(Word::F64),
        _ => Some(Word::Pointer),
    }
}

/// The size and the alignment of a type, in bytes.
///
/// ```
/// use weldment_codegen::backend::abi::layout;
/// use weldment_runtime::lang::types::Type;
/// assert_eq!(layout(&Type::structure([Type::BOOL, Type::F64])), (16, 8));
/// ```
pub fn layout(ty: &Type) -> (u64, u64) {
    let Layout { size, align } = Layout::of(ty);
    (size, align)
}

/// Where the fields of a struct stand, in bytes.
///
/// ```
/// use weldment_codegen::backend::abi::offsets;
/// use weldment_runtime::lang::types::Type;
/// assert_eq!(offsets(&[Type::BOOL, Type::F64]), [0, 8]);
/// ```
pub fn offsets(fields: &[Type]) -> Vec<u64> {
    layout::offsets(fields).collect()
}

/// What is known of vectors, in bytes. It is the same as long as the process runs.
///
/// ```
/// use weldment_codegen::backend::abi::vector;
/// let vector = vector();
/// assert!(vector.elements < vector.size && vector.len < vector.size);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector {
    /// How many a vector takes, without its elements.
    pub size: u64,
    /// Where the address of its elements stands.
    pub elements: u64,
    /// Where their number stands.
    pub len: u64,
}

/// Where a vector has its parts.
///
/// ```
/// use weldment_codegen::backend::abi::vector;
/// assert_eq!(vector().size, size_of::<Vec<u8>>() as u64);
/// ```
pub fn vector() -> Vector {
    let header = layout::header();
    Vector { size: size_of::<Vec<u8>>() as u64, elements: header.elements as u64, len: header.len as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_that_is_named_is_there() {
        for name in NAMED {
            assert!(function(name).is_some(), "{name}");
        }
    }
}
