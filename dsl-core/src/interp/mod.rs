//! The reference interpreter: what a program means, slow and obvious. It is the oracle of every other executor.
//!
//! It evaluates statement by statement with dynamically typed [`Value`]s, and takes from the runtime only
//! those, the faults, the scalar functions and the [`Context`] that says how the caller limits a run. It assumes a program that the verifier accepts, and panics on
//! any other. Where floats make the order of a reduction visible, `loops` and `sinks` follow the order that
//! all executors share, chunk by chunk, lane by lane and segment by segment.

mod machine;

mod loops;
mod sinks;

mod fold;
mod ops;

mod bytes;
mod cause;
mod instead;
mod memory;
mod options;
mod sort;
mod writes;

#[cfg(test)]
mod tests;

#[doc(hidden)]
pub use fold::{combine, neutral};
#[doc(hidden)]
pub use sort::merge_sort;

use weldment_runtime::exec::context::Context;
use weldment_runtime::lang::fault::{Fault, Position};
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;

pub use self::instead::Instead;
pub use self::options::{Foreign, InterpOptions};
use crate::ir::{self, Loc, Op, Program, Stmt};
use crate::source::Positions;

/// Runs `program` on `args`, which fit its parameters.
///
/// # Panics
/// If the program is not well formed, an argument is missing, or a foreign function is not among the options
/// ([`unresolved`] tells).
pub fn run(
    program: &Program,
    positions: &Positions,
    args: &[Value],
    options: &InterpOptions,
) -> Result<Value, Fault> {
    run_in(Context::ambient(), program, positions, args, options)
}

/// As [`run`], within what `cx` allows: it is asked whether the run is cancelled before each iteration, step and
/// comparison; told of progress after each chunk of each split loop; and every byte is counted that the vectors,
/// dictionaries and builders of the program grow by, as large as they are as emitted Rust. The number of threads and
/// what else is for tests mean nothing here: there is one thread, and `options` say how loops are cut.
///
/// # Panics
/// As [`run`]; and with the panic of a progress callback.
pub fn run_in(
    cx: &Context,
    program: &Program,
    positions: &Positions,
    args: &[Value],
    options: &InterpOptions,
) -> Result<Value, Fault> {
    let entry = program.entry.expect("a program has an entry");
    let mut results = machine::Machine::new(cx, program, positions, options).body(entry, args)?;
    assert_eq!(results.len(), 1, "a program has one result");
    let result = results.remove(0);
    let body = &program.bodies[entry];
    let params = body.params.iter().map(|&param| program.ty(param));
    memory::charge_result(cx, args, params, &result, program.ty(body.results[0]))?;
    Ok(result)
}

/// What `op`, which holds no bodies and is no foreign call, gives as a value of type `ty`, where `get` gives its operands.
///
/// # Errors
/// Its fault, at `position`.
#[doc(hidden)]
pub fn evaluate<'v>(
    op: &Op,
    ty: &Type,
    position: Position,
    get: impl Fn(ir::Value) -> &'v Value,
) -> Result<Value, Fault> {
    ops::evaluate(op, ty, get).map_err(|cause| cause.at(position))
}

/// The first foreign function that `program` may call and that is not among `options`, with the place of the
/// call.
pub fn unresolved<'a>(program: &'a Program, options: &InterpOptions) -> Option<(&'a str, Loc)> {
    let mut first = None;
    let mut visit = |stmt: &'a Stmt| {
        if let Op::Call(symbol, _) = &stmt.op {
            let found = options.foreign.as_ref().is_some_and(|foreign| foreign.has(symbol));
            if !found && first.is_none() {
                first = Some((symbol.as_str(), stmt.loc));
            }
        }
    };
    if let Some(entry) = program.entry {
        program.for_each_stmt(entry, &mut visit);
    }
    first
}
