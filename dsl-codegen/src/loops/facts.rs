//! What the decisions rest on: which ops can fault, what they cost, what a block reads and merges.

use std::collections::{BTreeSet, HashMap, HashSet};

use weldment_core::analysis::cost;
use weldment_core::ir::{Arena, BinaryOp, Const, Loc, Op, Reducer, Sink, SinkKind, Value, ValueInfo};
use weldment_core::report::Refusal;
use weldment_runtime::lang::types::{Scalar, Type};

use super::{Block, Function, Index, Keyed, Length, Loop, Nest, Run, Schedule, Step, Store, StoreKind};

/// What is known of the values and sinks met so far.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(super) values: Arena<Value, ValueInfo>,
    pub(super) consts: HashMap<Value, Const>,
    pub(super) sinks: HashMap<Sink, SinkKind>,
    /// What was decided against because of its cost.
    pub(super) refused: Vec<Refusal<Loc>>,
}

impl Facts {
    /// The type of `value`.
    pub(crate) fn ty(&self, value: Value) -> &Type {
        &self.values[value].ty
    }

    /// Whether `sink` is a reduction by an operator.
    pub(crate) fn is_accumulator(&self, sink: Sink) -> bool {
        matches!(self.sinks.get(&sink), Some(SinkKind::Reduce { reducer: Reducer::Op(_), .. }))
    }

    /// Whether `sink` collects.
    pub(crate) fn is_collect(&self, sink: Sink) -> bool {
        matches!(self.sinks.get(&sink), Some(SinkKind::Collect { .. }))
    }

    /// What `op` costs if it may run in vain: if it always gives a value, whatever its operands, and does not take its
    /// time.
    pub(crate) fn cost(&self, op: &Op) -> Option<u64> {
        let divides = match op {
            Op::Binary(BinaryOp::Div | BinaryOp::Rem, x, y) if self.ty(*x).as_scalar()?.is_integer() => {
                Some(*y)
            }
            _ => None,
        };
        if divides.is_some_and(|divisor| !self.divides_safely(divisor)) {
            return None;
        }
        cost::in_blocks(op, |value| self.ty(value))
    }

    /// Whether `op` can fault, fail to end, or do anything but compute scalars: what keeps a body from
    /// running in blocks. Transcendental functions are fine here.
    pub(crate) fn is_straight(&self, op: &Op) -> bool {
        match op {
            Op::Math(..) => true,
            Op::Binary(BinaryOp::Rem, x, _) if self.ty(*x).as_scalar().is_some_and(Scalar::is_float) => true,
            op => self.cost(op).is_some(),
        }
    }

    /// Whether every integer can be divided by `divisor` without a fault: it is a constant, and neither 0 nor −1.
    pub(crate) fn divides_safely(&self, divisor: Value) -> bool {
        divides_safely(self.consts.get(&divisor))
    }
}

/// Whether every integer can be divided by this constant without a fault.
pub(crate) fn divides_safely(divisor: Option<&Const>) -> bool {
    divisor.and_then(|divisor| divisor.as_integer()).is_some_and(|divisor| divisor != 0 && divisor != -1)
}

/// The bits of a key's leaf.
pub(crate) fn bits(leaf: Scalar) -> u32 {
    if leaf == Scalar::Bool { 1 } else { 8 * leaf.size() as u32 }
}

/// How keys of type `key` are found.
pub(crate) fn index_of(key: &Type) -> Index {
    let Some(leaves) = key.leaves() else { return Index::Hash };
    let bits = leaves.iter().map(|leaf| bits(*leaf)).sum();
    if bits <= 16 && !leaves.iter().any(|leaf| leaf.is_float()) {
        Index::Direct { bits }
    } else {
        Index::Hash
    }
}

/// Visits every step in `block` and in the blocks inside it, functions and nests included, in program order.
pub(crate) fn for_each_step<'a>(block: &'a Block, visit: &mut impl FnMut(&'a Step)) {
    for step in &block.steps {
        visit(step);
        for_each_block(step, &mut |inner| for_each_step(inner, visit));
    }
}

/// Visits the blocks that `step` holds directly.
pub(crate) fn for_each_block<'a>(step: &'a Step, visit: &mut dyn FnMut(&'a Block)) {
    match step {
        Step::Bind { .. } | Step::Merge(_) => {}
        Step::If { then, els, .. } => {
            visit(then);
            visit(els);
        }
        Step::Iterate { body, .. } => visit(body),
        Step::Sort { order, .. } => visit(order.body()),
        Step::For(inner) => visit(&inner.body),
        Step::Nest(nest) => {
            nest.stores.iter().filter_map(function_of).for_each(|function| visit(&function.body));
            visit(nest.run.body());
        }
    }
}

/// How often a loop asks whether the run is cancelled: the lowering to low-level code makes strips of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strips {
    /// Its iterations are short: after [`STRIP`](weldment_runtime::exec::context::STRIP) of them, and before each chunk is
    /// enough.
    Long,
    /// It holds loops, but only such as fold their first iterations in order, and ask after each
    /// [`ROW_STRIP`](weldment_runtime::exec::context::ROW_STRIP): after [`ROWS_STRIP`](weldment_runtime::exec::context::ROWS_STRIP), and before
    /// each chunk, of which loops that hold others have short ones.
    Rows,
    /// It holds other loops, or sorts: after [`OUTER_STRIP`](weldment_runtime::exec::context::OUTER_STRIP), in chunks too.
    Short,
}

impl Loop {
    /// One about which nothing has been decided.
    pub(super) fn new(index: Value, extent: Value, body: Block, loc: Loc) -> Loop {
        Loop {
            index,
            extent,
            columns: Vec::new(),
            block: None,
            feeds: None,
            rows: None,
            prefetch: Vec::new(),
            hash_prefetch: Vec::new(),
            prologue: None,
            body,
            loc,
        }
    }

    /// How often the loop asks.
    pub(crate) fn strips(&self) -> Strips {
        let mut strips = Strips::Long;
        for_each_step(&self.body, &mut |step| {
            let wanted = match step {
                Step::Nest(Nest { run: Run::Over(inner), .. }) if inner.prologue.is_some() => Strips::Rows,
                Step::Nest(nest) if !nest.asks() => Strips::Long,
                Step::For(_) | Step::Sort { .. } | Step::Nest(_) => Strips::Short,
                _ => Strips::Long,
            };
            strips = strips.max(wanted);
        });
        strips
    }
}

impl Nest {
    /// Whether this is a loop that asks, as it runs, whether the run is cancelled: then it may end in a fault.
    pub(crate) fn asks(&self) -> bool {
        matches!(self.run, Run::Over(_)) && self.schedule != Schedule::Few
    }
}

/// The function that a store folds by.
pub(crate) fn function_of(store: &Store) -> Option<&Function> {
    match &store.kind {
        StoreKind::Fold { func, .. } | StoreKind::Table { what: Keyed::Fold(func), .. } => Some(func),
        _ => None,
    }
}

impl StoreKind {
    /// Whether nobody can tell in which order what is merged under one key, or at one index, is folded.
    pub(crate) fn is_exact(&self) -> bool {
        match self {
            StoreKind::Table { what: Keyed::Reduce(op), value: ty, .. }
            | StoreKind::Scatter { op, ty, .. } => {
                ty.leaves().is_some_and(|leaves| leaves.iter().all(|&leaf| op.is_exact(leaf)))
            }
            StoreKind::Table { what: Keyed::Fold(_), .. } => false,
            _ => true,
        }
    }
}

impl super::Nest {
    /// Whether the order in which a table's values are folded shows, so that its chunks are joined to segments.
    pub(crate) fn is_segmented(&self) -> bool {
        self.stores.iter().any(|store| !store.kind.is_exact())
    }

    /// Whether a thread goes on with its tables for as long as it can: what is reduced for each key is cheaper to go on with
    /// than to join. Groups and vectors are moved once in either case, while others have work to do.
    pub(crate) fn is_open(&self) -> bool {
        let is_table = |store: &Store| matches!(store.kind, StoreKind::Table { what: Keyed::Reduce(_), .. });
        let is_total =
            |store: &Store| matches!(store.kind, StoreKind::Accumulate { .. } | StoreKind::Fold { .. });
        !self.is_segmented()
            && self.stores.iter().any(is_table)
            && self.stores.iter().all(|store| is_table(store) || is_total(store))
    }
}

impl super::Nest {
    /// What a task of this nest is, where it is split.
    pub(crate) fn tasks(&self) -> Tasks {
        let is_placed =
            |store: &Store| matches!(store.kind, StoreKind::Collect { length: Length::AtMost, .. });
        let is_light = |store: &Store| match &store.kind {
            StoreKind::Accumulate { .. } | StoreKind::Fold { .. } => true,
            StoreKind::Collect { ty, length } => !matches!(length, Length::Unknown(_)) && ty.is_scalars(),
            StoreKind::Table { .. } | StoreKind::Scatter { .. } => false,
        };
        if self.is_segmented() {
            Tasks::Segments
        } else if self.is_open() {
            Tasks::Open
        } else if self.stores.iter().any(is_placed) && self.stores.iter().all(is_light) {
            Tasks::Short
        } else {
            Tasks::Any
        }
    }
}

/// What a task is: see `drive` of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tasks {
    Any,
    /// So short that what is collected, which belongs behind that of the tasks before, does not leave the caches until it is there.
    Short,
    /// As long as it becomes.
    Open,
    Segments,
}

impl Run {
    /// What runs, once or for each index.
    pub(crate) fn body(&self) -> &Block {
        match self {
            Run::Once(block) => block,
            Run::Over(inner) => &inner.body,
        }
    }
}

/// Visits every merge into any of the stores of nests around `block`, or of nests inside it.
pub(crate) fn for_each_merge<'a>(block: &'a Block, visit: &mut impl FnMut(&'a super::Merge)) {
    for_each_step(block, &mut |step| {
        if let Step::Merge(merge) = step {
            visit(merge);
        }
    });
}

/// Visits the values that `step` itself reads, not those read in the blocks it holds.
pub(crate) fn for_each_operand(step: &Step, visit: &mut impl FnMut(Value)) {
    match step {
        Step::Bind { op, .. } => op.for_each_operand(visit),
        Step::If { cond, .. } => visit(*cond),
        Step::Iterate { init, .. } => init.iter().copied().for_each(visit),
        Step::Sort { vector, .. } => visit(*vector),
        Step::For(inner) => visit(inner.extent),
        Step::Merge(merge) => merge.values.iter().chain(&merge.guard).copied().for_each(visit),
        Step::Nest(nest) => {
            if let Run::Over(inner) = &nest.run {
                visit(inner.extent);
            }
            nest.stores.iter().filter_map(|store| store.kind.init()).for_each(visit);
        }
    }
}

impl StoreKind {
    /// The value that the store starts from, or the guess of its length.
    pub(crate) fn init(&self) -> Option<Value> {
        match self {
            StoreKind::Accumulate { init, .. } | StoreKind::Fold { init, .. } => *init,
            StoreKind::Scatter { init, .. } => Some(*init),
            StoreKind::Collect { length: super::Length::Unknown(hint), .. } => *hint,
            StoreKind::Collect { .. } | StoreKind::Table { .. } => None,
        }
    }
}

/// Visits the values that `step` binds, for itself or for the blocks it holds.
pub(crate) fn for_each_binding(step: &Step, visit: &mut impl FnMut(Value)) {
    match step {
        Step::Bind { result, .. } => visit(*result),
        Step::If { results, .. } => results.iter().copied().for_each(visit),
        Step::Iterate { results, params, .. } => results.iter().chain(params).copied().for_each(visit),
        Step::Sort { result, order, .. } => {
            visit(*result);
            order.params().iter().copied().for_each(visit);
        }
        Step::For(inner) => visit(inner.index),
        Step::Merge(_) => {}
        Step::Nest(nest) => {
            for store in &nest.stores {
                visit(store.result);
                function_of(store).into_iter().flat_map(|function| function.params).for_each(&mut *visit);
            }
            if let Run::Over(inner) = &nest.run {
                visit(inner.index);
            }
        }
    }
}

/// Values in order of first mention.
#[derive(Default)]
struct Ordered {
    values: Vec<Value>,
    known: HashSet<Value>,
}

impl Ordered {
    fn add(&mut self, value: Value) {
        if self.known.insert(value) {
            self.values.push(value);
        }
    }
}

/// The values that `block` reads and neither binds nor is given as `params`, in order of first use: as operands of its
/// steps, but for those that are `exempt`, and as what it and the blocks inside it give.
pub(crate) fn free_values(block: &Block, params: &[Value], exempt: impl Fn(&Step) -> bool) -> Vec<Value> {
    fn walk(block: &Block, exempt: &impl Fn(&Step) -> bool, reads: &mut Ordered, bound: &mut HashSet<Value>) {
        for step in &block.steps {
            if !exempt(step) {
                for_each_operand(step, &mut |value| reads.add(value));
            }
            for_each_binding(step, &mut |value| {
                bound.insert(value);
            });
            for_each_block(step, &mut |inner| walk(inner, exempt, reads, bound));
        }
        block.results.iter().for_each(|&value| reads.add(value));
    }
    let (mut reads, mut bound) = (Ordered::default(), params.iter().copied().collect());
    walk(block, &exempt, &mut reads, &mut bound);
    reads.values.retain(|value| !bound.contains(value));
    reads.values
}

/// The values from outside that a nest's body and functions read, in order of first use.
pub(super) fn inputs(run: &Run, stores: &[Store]) -> Vec<Value> {
    let mut inputs = Ordered::default();
    for function in stores.iter().filter_map(function_of) {
        free_values(&function.body, &function.params, |_| false)
            .into_iter()
            .for_each(|value| inputs.add(value));
    }
    let index = match run {
        Run::Over(inner) => Some(inner.index),
        _ => None,
    };
    free_values(run.body(), index.as_slice(), |_| false).into_iter().for_each(|value| inputs.add(value));
    inputs.values
}

/// The vectors from outside `inner` that its body reads at its index, but for those whose rows are `rows`.
pub(super) fn columns(inner: &Loop, rows: &BTreeSet<Value>) -> Vec<Value> {
    let (mut columns, mut bound) = (Ordered::default(), HashSet::new());
    for_each_step(&inner.body, &mut |step| {
        for_each_binding(step, &mut |value| {
            bound.insert(value);
        });
        if let Step::Bind { op: Op::At(vector, index), .. } = step
            && *index == inner.index
            && !bound.contains(vector)
            && !rows.contains(vector)
        {
            columns.add(*vector);
        }
    });
    columns.values
}
