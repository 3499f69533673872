//! The loop IR on one screen: what runs, which is lowered to low-level code.
//!
//! Every decision is made on the way here, once, by `build`: which loop is split over cores and into which
//! chunks, what a sink becomes, how many lanes an accumulator has, which merges are predicated, which loops
//! run in blocks, which reads are columns. An emitter that finds itself deciding is wrong.
//!
//! Values keep the ids they have in the program this was built from; new ones come after them.

// Fields whose names say it all have no comment of their own.
#![allow(missing_docs)]

mod build;
mod collapse;
mod decide;
pub(crate) mod liveness;
mod narrow;
mod order;
mod points;
mod predicate;
mod prefetch;
pub(crate) mod ragged;
mod versions;
mod windows;

pub(crate) mod facts;
mod in_bounds;
mod print;
mod running;
mod scans;
pub(crate) mod shared_searches;

#[cfg(test)]
mod tests;

pub use build::build;
pub use print::print_lines;
pub use running::{build_and_explain, build_and_follow};
pub use scans::Scanned;
pub use windows::WINDOW_CHUNK;

use std::collections::{BTreeMap, BTreeSet};

use weldment_core::analysis::counted::Counted;
use weldment_core::analysis::windows::Window;
use weldment_core::ir::{Arena, Const, Empty, Loc, Op, ReduceOp, Sink, Value, ValueInfo};
use weldment_core::report::Refusal;
use weldment_runtime::lang::types::{Scalar, Type};

/// A program: takes `params`, runs `body`, gives the one result of `body`.
#[derive(Clone, Debug)]
pub struct LoopProgram {
    /// What is known of each value.
    pub values: Arena<Value, ValueInfo>,
    /// The arguments.
    pub params: Vec<Value>,
    /// What runs.
    pub body: Block,
    /// Vectors of vectors that are only read row by row: the elements of all rows may lie one after the other.
    pub rows: BTreeSet<Value>,
    /// Look-ups of a key for which another one has searched the same dictionary, and that one: it stands before, in the same
    /// block or in one around with only branches between.
    pub shared_searches: BTreeMap<Value, Value>,
    /// Slices that are known to lie within their vectors, with as many elements as were asked for.
    pub in_bounds: BTreeSet<Value>,
    /// Arrays that the loop which reads them computes itself, a few rows at a time.
    pub windows: Vec<Window>,
    /// The number of nests; they are numbered from 0 in the order in which they print.
    pub nests: usize,
    /// What was decided against because of its cost, for the report.
    pub refused: Vec<Refusal<Loc>>,
}

/// Steps in order, and the values they leave.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// What is done.
    pub steps: Vec<Step>,
    /// What the block gives to the step that holds it.
    pub results: Vec<Value>,
}

/// One step.
#[derive(Clone, Debug)]
pub enum Step {
    /// Binds `result` to what `op` gives; never one of the ops that have a step or nest of their own below.
    Bind { result: Value, op: Op, loc: Loc },
    /// One of two blocks, which both give `results`.
    If { results: Vec<Value>, cond: Value, then: Block, els: Block },
    /// Do-while: `body` gives the next state and then a bool that says whether to go on. Polls for cancellation. `counted`: the number of
    /// steps is known before.
    Iterate {
        results: Vec<Value>,
        init: Vec<Value>,
        params: Vec<Value>,
        counted: Option<Counted>,
        body: Block,
        loc: Loc,
    },
    /// A stable sort.
    Sort { result: Value, vector: Value, order: Order, loc: Loc },
    /// A loop, or a region that runs once, with stores of its own.
    Nest(Nest),
    /// A loop inside a nest, which merges into the stores of nests around it.
    For(Loop),
    /// Merges into a store of a nest around it.
    Merge(Merge),
}

/// A function of two values that gives one.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its arguments.
    pub params: [Value; 2],
    /// What it computes.
    pub body: Block,
}

/// How the elements of a sort are ordered.
#[derive(Clone, Debug)]
pub enum Order {
    /// By a function of two elements that gives an i32, positive where the first must come after the second.
    Comparator(Function),
    /// By a key of each element, in its total order.
    Key(Key),
}

/// A scalar that is computed of an element, always and without a fault.
#[derive(Clone, Debug)]
pub struct Key {
    /// The element.
    pub param: Value,
    /// What computes the key, which is its result.
    pub body: Block,
    /// Whether greater keys come first.
    pub descending: bool,
    /// Whether to compute it once is better than to compute it again.
    pub costly: bool,
}

/// A loop, or a region that runs once, and the stores that its merges fill.
#[derive(Clone, Debug)]
pub struct Nest {
    /// Its number.
    pub id: usize,
    /// What runs.
    pub run: Run,
    /// Where it merges to; each binds one value when the nest has ended.
    pub stores: Vec<Store>,
    /// How it is divided.
    pub schedule: Schedule,
    /// The values from outside that its body and the functions of its stores use, columns included, in order of
    /// first use. The extent and what stores start from are used before it runs and are not among them.
    pub inputs: Vec<Value>,
    /// The user's token.
    pub loc: Loc,
}

/// What a nest runs.
#[derive(Clone, Debug)]
pub enum Run {
    /// A block, once.
    Once(Block),
    /// A loop. Further index variables of the IR's loop are `for`s inside it.
    Over(Loop),
}

/// `index` from 0 below `extent`.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The index, an i64.
    pub index: Value,
    /// The number of iterations, an i64, bound before the loop.
    pub extent: Value,
    /// The vectors from outside that the body reads at exactly `index`, as `at column, index`, in order of first use.
    /// They are at least as long as `extent`: an emitter cuts them to the range it runs, and such reads need no check.
    pub columns: Vec<Value>,
    /// The number of iterations that run side by side as one block, the rest as a tail. Then the body is
    /// straight: `Bind`s that cannot fault, and merges into accumulators and into collects of scalars, between which and
    /// this loop is no other one, each of them at one place. All its lanes are `Lane::Index(index)`, and the
    /// lanes of its accumulators divide the block.
    pub block: Option<u32>,
    /// The one sink that it merges into, in each iteration, if it is split and has no blocks, and its body is `Bind`s of scalars
    /// that cannot fault and that merge.
    pub feeds: Option<Sink>,
    /// The number of iterations that merge by index together, the rest as a tail, so that none need wait to see whether
    /// the one before it goes to the same place. Then the loop feeds a scatter.
    pub rows: Option<u32>,
    /// Those of its columns that it prefetches, a block or some rows at a time, or one by one; where elements are vectors, it
    /// prefetches what these hold.
    pub prefetch: Vec<Value>,
    /// The keys whose places in a table it prefetches, some rows ahead of merging by them.
    pub hash_prefetch: Vec<HashPrefetch>,
    /// So many iterations are folded in order too, which is all if there are no more: see `loops/versions.rs`.
    pub prologue: Option<u32>,
    /// What is done for each index.
    pub body: Block,
    /// Its place: that of the nest or of the `for` that it is.
    pub loc: Loc,
}

/// Keys of a table that are the elements of a column, vectors of few bits such as words: where each of them is looked for takes
/// long to find out, and is not where the one before was. So their hashes are made for some rows together, and the places prefetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashPrefetch {
    /// Where they stand.
    pub column: Value,
    /// The table, into which nothing is merged by other keys.
    pub sink: Sink,
}

/// How a nest is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// One chunk, on the thread that is there: nests inside loops and functions, regions, short loops.
    Serial,
    /// As `Serial`, of so few iterations that none asks whether the run is cancelled.
    Few,
    /// Chunks of `chunk` iterations, over all cores. Tables and scatters take whole chunks into a segment until it has
    /// `segment` iterations (without one: 2^18 or a 64th of all iterations, whichever is more), and the
    /// partial results of segments combine in order.
    Chunks { chunk: u64, segment: Option<u64> },
    /// Chunks of so many points of all the nest's loops, row by row, over all cores: its only step is one loop after the other, and
    /// the innermost merges once into each store, so that point `p` writes element `p`.
    Points { chunk: u64 },
    /// Chunks of so many columns of a scan along rows, over all cores; `rows`, `row` and `columns` are those of
    /// [`Scanned`].
    Columns { chunk: u64, scanned: Scanned },
    /// Chunks of so many iterations, over all cores, each of which is such a scan, whose rows stay together: [`Scanned`].
    Scans { chunk: u64, scanned: Scanned },
}

/// A sink: what is kept of the values merged, and the value that it gives.
#[derive(Clone, Debug)]
pub struct Store {
    /// What merges name.
    pub sink: Sink,
    /// Bound when the nest has ended.
    pub result: Value,
    /// What is done with merged values.
    pub kind: StoreKind,
    /// Where a reduction of nothing faults.
    pub loc: Loc,
}

/// What is done with merged values.
#[derive(Clone, Debug)]
pub enum StoreKind {
    /// Accumulators in registers, one or several lanes for each scalar leaf of the merged type. Lanes start at
    /// `neutral`; they fold from lane 0 on, then the chunks in order, then `init op total`; the identity where
    /// there is no `init` and `empty` is `Identity`; the total alone where `empty` is `Fault`.
    Accumulate { op: ReduceOp, ty: Type, leaves: Vec<Leaf>, init: Option<Value>, empty: Empty, seen: Seen },
    /// A fold by a function, left to right: nothing yet, or one value. `init` is leftmost, once.
    Fold { ty: Type, func: Function, init: Option<Value>, empty: Empty },
    /// The values in order.
    Collect { ty: Type, length: Length },
    /// A dictionary; merges give key and value.
    Table { key: Type, value: Type, what: Keyed, index: Index },
    /// A copy of the vector `init`; merges give index and value, and fault outside.
    Scatter { ty: Type, op: ReduceOp, init: Value },
}

/// One scalar leaf of an accumulator.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// The type of its total.
    pub total: Scalar,
    /// The type of its lanes: that of its total, or a narrower one, which holds what each chunk comes to.
    pub ty: Scalar,
    /// What `op` leaves alone in a lane, bit for bit.
    pub neutral: Const,
    /// The number of lanes, at least 1; 1 where the order of folding does not matter or every merge is in lane 0.
    pub lanes: u32,
}

/// How an accumulator that faults when nothing was merged knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It need not know: nothing merged gives `init` or the identity.
    NotNeeded,
    /// Every iteration of the nest's own loop merges: something was merged if the extent is not 0.
    Extent,
    /// By a flag that every merge sets, if its guard holds.
    Flag,
}

/// What is known of a collect's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// The nest's extent times `each`: every iteration of its own loop merges so often, so that iteration `i` writes
    /// the elements from `i * each` on. What runs in blocks merges once. Where the schedule is of points, one for each.
    Exact { each: u32 },
    /// At most the nest's extent: no iteration of its own loop merges twice. (Places for more than that would gain
    /// nothing over a vector that grows, and a run pays for them until it ends.)
    AtMost,
    /// Known when the loop has run; perhaps with a guess, which is a value bound before the nest.
    Unknown(Option<Value>),
}

/// What a table keeps for each key.
#[derive(Clone, Debug)]
pub enum Keyed {
    /// The values' reduction, leaf by leaf.
    Reduce(ReduceOp),
    /// The values' fold by a function.
    Fold(Function),
    /// The value merged last: the fold by a function that gives its second argument, as `to_dict` has it.
    Last,
    /// The values in order.
    Group,
}

/// How a table finds its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// The key's leaves are integers and bools of so many bits together, at most 16: they index an array.
    Direct { bits: u32 },
    /// By hash.
    Hash,
}

/// A merge. It happens where `guard` holds; the values are good to compute, but not to use, where it does not.
#[derive(Clone, Debug)]
pub struct Merge {
    /// The store.
    pub sink: Sink,
    /// One value, or key and value, or index and value.
    pub values: Vec<Value>,
    /// The lane, for accumulators.
    pub lane: Lane,
    /// The merge is predicated: into an accumulator, where it adds the neutral value if this is false, or, in a loop
    /// that runs in blocks, into a collect.
    pub guard: Option<Value>,
    /// Into a float `min` or `max` of a loop that runs in blocks: so many lanes of the loop's own, which start at an infinity and
    /// in which blocks compare and do nothing else. That finds the extreme, but for two questions that hardly ever come up: of
    /// the zeros, was there one of the sign that wins; of the infinity, was it merged at all. If they do, all iterations
    /// are asked once more, after the blocks.
    pub compared: Option<u32>,
    /// The user's token.
    pub loc: Loc,
}

/// Which lane a merge goes to: `(index − start) mod lanes` of the loop with this index, which is the innermost loop around
/// the merge inside the store's nest; start is 0, or where the chunk starts if that loop is the split one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// By the index of this loop.
    Index(Value),
    /// Lane 0: no loop is between the store and the merge.
    Zero,
}

/// What a caller may fix about the decisions made here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The length of chunks, instead of one that follows from the loop's cost.
    pub chunk: Option<u64>,
    /// The length of segments.
    pub segment: Option<u64>,
}

impl Order {
    /// The arguments of the function.
    pub(crate) fn params(&self) -> &[Value] {
        match self {
            Order::Comparator(function) => &function.params,
            Order::Key(key) => std::slice::from_ref(&key.param),
        }
    }

    /// What the function does.
    pub(crate) fn body(&self) -> &Block {
        match self {
            Order::Comparator(function) => &function.body,
            Order::Key(key) => &key.body,
        }
    }
}
