//! The axes of loops over points.

use weldment_core::analysis::equal::Lengths;
use weldment_core::ir::{BodyId, Defs, Op, Program, Value};

/// An index of a loop over points.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    /// What is done for each number of it, and nothing but a loop over the next one if there is a next one.
    pub(super) body: BodyId,
    pub(super) index: Value,
    pub(super) extent: Value,
}

/// Whether an array has the extent `own` where a loop runs below `extent`, which may have been checked to be equal to it.
pub(super) fn is_same(program: &Program, defs: &Defs, own: Value, extent: Value) -> bool {
    if Lengths::new(program, defs).equal(own, extent) {
        return true;
    }
    match defs.op(program, extent) {
        Some(Op::ZipLen(_, extents)) => extents.iter().any(|&one| is_same(program, defs, own, one)),
        _ => false,
    }
}
