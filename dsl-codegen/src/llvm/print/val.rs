//! Values of programs in registers of LLVM.

use super::builder::Operand;
use super::spelling::Width;

/// A value in registers: its leaves.
#[derive(Clone, Debug)]
pub(super) struct Val {
    /// One operand per leaf.
    pub(super) leaves: Vec<Operand>,
    /// The lanes of each leaf; a value that is the same in all lanes has 1.
    pub(super) width: Width,
    /// Of an i64 of several lanes: the first one, if each lane is one more than the lane before.
    pub(super) first: Option<Operand>,
}

impl Val {
    /// A value of one lane.
    pub(super) fn scalar(leaves: Vec<Operand>) -> Val {
        Val { leaves, width: 1, first: None }
    }

    /// A value of one lane and one leaf.
    pub(super) fn one(leaf: impl Into<Operand>) -> Val {
        Val::scalar(vec![leaf.into()])
    }

    /// A value of several lanes.
    pub(super) fn lanes(leaves: Vec<Operand>, width: Width) -> Val {
        Val { leaves, width, first: None }
    }
}
