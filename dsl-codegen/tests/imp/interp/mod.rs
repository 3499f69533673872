//! An interpreter of low-level code, slow and obvious: the judge of what lowers to it and of what rewrites it.
//!
//! Its stores are vectors and dictionaries of runtime values, whatever their strategy; a split loop runs on one thread, its chunks in
//! order; lanes run one after the other. It assumes a program that the verifier accepts, and panics on any other: also where an
//! element is read or written outside of its vector, an element of a vector of exact length is missing in the end, or a value is
//! read after it was released. Ops, functions of scalars and faults are those of the interpreter of the core. Memory is not counted,
//! and nothing is ever cancelled.

mod accumulators;
mod machine;
mod stores;

use std::fmt;
use std::sync::Arc;

use weldment_core::interp::Foreign;
use weldment_core::source::Positions;
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::value::Value;

use weldment_codegen::imp::Imp;

/// How to run a program.
#[derive(Clone, Default)]
pub(crate) struct InterpOptions {
    /// The iterations of a chunk, if that is fewer than planned.
    pub(crate) chunk: Option<u64>,
    /// The iterations of a segment, rounded up to whole chunks; without it, what is planned or the rule says.
    pub(crate) segment: Option<u64>,
    /// The chunks of a task that is no segment; without it, all of them.
    pub(crate) chunks_of_task: Option<u64>,
    /// The foreign functions that the program may call.
    pub(crate) foreign: Option<Arc<dyn Foreign>>,
}

impl fmt::Debug for InterpOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InterpOptions { chunk, segment, chunks_of_task, foreign } = self;
        write!(f, "{chunk:?} {segment:?} {chunks_of_task:?} {}", foreign.is_some())
    }
}

/// Runs `imp` on `args`, which fit the parameters of its entry.
///
/// # Errors
/// The fault that ends the run.
///
/// # Panics
/// If the program is not well formed.
pub(crate) fn run(
    imp: &Imp,
    positions: &Positions,
    args: &[Value],
    options: &InterpOptions,
) -> Result<Value, Fault> {
    machine::Machine::new(imp, positions, options).entry(args)
}
