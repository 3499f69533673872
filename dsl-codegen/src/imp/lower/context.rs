//! What lowering knows while it goes through a program.

use std::collections::{HashMap, HashSet};

use weldment_core::ir::{ReduceOp, Sink, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use crate::imp::{Imp, RegId, StoreId, Target};
use crate::loops::liveness::Liveness;
use crate::loops::{LoopProgram, Scanned};

/// What lowering knows.
pub(super) struct Lower<'p> {
    pub(super) program: &'p LoopProgram,
    pub(super) target: Target,
    pub(super) imp: Imp,
    /// Look-ups that have a search in common, and the first of them.
    pub(super) searches: HashMap<Value, Value>,
    /// The types of the dictionaries in which keys are looked up, each once.
    pub(super) searched: Vec<&'p Type>,
    pub(super) liveness: Liveness,
    /// Whether what is lowered runs more than once for what is around.
    pub(super) is_in_loop: bool,
    /// The selections of which nothing foretells what they choose.
    pub(super) unpredictable: HashSet<Value>,
    /// The sinks that make rows for another one, and that.
    pub(super) makers: HashMap<Sink, Sink>,
    /// What each sink fills.
    pub(super) filled: HashMap<Sink, Filled>,
    /// The indices of the loops that were lowered.
    pub(super) lowered: HashSet<Value>,
    /// The position of the loop of each index.
    pub(super) positions: HashMap<Value, Value>,
    /// The columns of the loops around, by vector and index.
    pub(super) columns: HashMap<(Value, Value), Value>,
    /// The index of the loop whose iterations a store is of.
    pub(super) own: HashMap<StoreId, Value>,
    /// The index of the loop of which each iteration appends at most one element to a store.
    pub(super) appends_once: HashMap<StoreId, Value>,
    /// Whether what is lowered is in a function that is dispatched.
    pub(super) dispatched: bool,
    /// Of arrays of points that are made: how many rows they have.
    pub(super) slabs: HashMap<Value, Slabs>,
    /// The columns that run apart, where some do.
    pub(super) apart: Option<Apart>,
}

/// What is known of an array of points: how many rows it has, and how many elements each, as positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slabs {
    pub(super) rows: Value,
    pub(super) each: Value,
}

/// Columns of a scan that run apart from others.
pub(super) struct Apart {
    pub(super) scanned: Scanned,
    /// How many rows and columns there are, as positions.
    pub(super) rows: Value,
    pub(super) count: Value,
    /// The first of those at hand, and how many.
    pub(super) lo: Value,
    pub(super) width: Value,
    /// What the scan binds: its vectors have elements for the columns at hand only.
    pub(super) local: HashSet<Value>,
    /// Of several scans, the number of the one at hand, and how many elements each has, as a position.
    pub(super) scan: Option<(Value, Value)>,
    /// The position of the first element of the row at hand.
    pub(super) first: Value,
}

/// What a sink fills.
#[derive(Clone, Debug)]
pub(super) enum Filled {
    /// The registers of an accumulator.
    Regs(Regs),
    /// A store.
    Store(StoreId),
}

/// The registers of an accumulator.
#[derive(Clone, Debug)]
pub(super) struct Regs {
    pub(super) op: ReduceOp,
    /// One for each leaf, and the type of its total.
    pub(super) leaves: Vec<(RegId, Scalar)>,
    /// Whether anything was merged.
    pub(super) seen: Option<RegId>,
}
