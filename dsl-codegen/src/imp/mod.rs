//! The low-level code of a program, `imp`, on one screen: *how* it runs. Every emitter prints this and decides nothing.
//!
//! A program is functions of structured statements over values that are bound once in each function, registers, which are
//! written many times, and stores, which keep what loops merge. Loops have explicit ranges, steps, blocks of lanes, polls and
//! tails; a loop over all threads is a [`Stmt::Split`].
//!
//! ```text
//! func loop0(v9, a0: reg f64 x 16, v10 = slice of v0, v11 = slice of v1) dispatch {
//!   v12 = rem v9, 16
//!   v13 = sub v9, v12
//!   for v14 in 0..v13 by 16 {
//!     prefetch v10[v14] x 16 read
//!     lanes v15 at v14 x 16 { v16 = load v10[v15]; v17 = load v11[v15]; v18 = lt v17, 0.5; a0[v15] += v16 where v18 }
//!   }
//!   for v19 in v13..v9 tail { v20 = load v10[v19]; v21 = load v11[v19]; v22 = lt v21, 0.5; a0[v19] += v20 where v22 }
//! }
//! ```
//!
//! # Values
//! A value has a type and a *width*: 1, or that of the [`Stmt::Lanes`] that binds it, where it has one element for each lane.
//! A constant is no statement: [`Info::constant`] says so, and it can be read everywhere. A *position* counts iterations from
//! the start of the range at hand; it is never negative, so that arithmetic of positions (`add`, `sub`, `mul`, `min`, `max`, `div` and
//! `rem` by what is not 0) does not wrap. `cast` makes an i64 of a position and back.
//!
//! # Functions
//! A [`Func`] takes `params`, which stand for the arguments of a call, and `captures`: values that it reads under the name that
//! they have where it is called, or, for functions of stores, where the store is opened. Parameters never overlap in memory.
//! The blocks of a [`Stmt::Split`] are no functions: they see what is bound around them.
//!
//! # Stores
//! What is done with a store is a [`Stmt::Do`]. A store of a loop on one thread is opened, filled and finished. One of a split
//! loop is opened before it ([`Store::split`]); each task begins a part of its own in `init`, fills it in `update`, and joins it in
//! `merge`; it is finished behind the loop. [`Strategy::Boxed`] begins in each `update` instead, and joins in `add`. Boxes and scatters
//! have parts on one thread as well: opened, begun, filled, joined, finished.
//!
//! # Order
//! Statements run in order, except in [`Stmt::Lanes`], whose lanes do not see each other. A register that rounds is accumulated
//! in lane `position mod lanes`, and its lanes are folded from lane 0 on: that is what makes the bits of a sum.

// Fields whose names say it all have no comment of their own.
#![allow(missing_docs)]

pub mod copy;
pub mod effects;
mod ids;
mod iteration;
mod lower;
mod make;
mod passes;
mod rows;
mod store;
mod strategy;
mod stride;
mod target;
pub mod walk;

mod parse;
mod print;
mod verify;
mod words;

#[cfg(test)]
mod tests;

pub use ids::{FuncId, RegId, StoreId};
pub use lower::{build, build_with};
pub use parse::parse;
pub use passes::open_ends;
pub use print::{print, print_head, print_lines};
pub use store::{Action, Combine, Memory, Ordering, Packing, Store, Strategy};
pub(crate) use strategy::is_direct;
pub use stride::Stride;
pub use target::Target;
pub use verify::{VerifyError, verify};
pub use weldment_core::ir::ParseError;

use weldment_core::analysis::counted::Counted;
use weldment_core::ir::{Arena, Const, Loc, Op, ReduceOp, Value};
use weldment_runtime::lang::types::{Scalar, Type};

/// A program.
#[derive(Clone, Debug)]
pub struct Imp {
    /// What is known of each value. Values keep the ids that they have in the IR; new ones come after them.
    pub values: Arena<Value, Info>,
    /// The registers.
    pub regs: Arena<RegId, Reg>,
    /// The stores.
    pub stores: Arena<StoreId, Store>,
    /// The functions.
    pub funcs: Arena<FuncId, Func>,
    /// The one that takes the arguments and gives the result.
    pub entry: FuncId,
}

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Its type; that of a position is u64.
    pub ty: Type,
    /// 1, or the width of the [`Stmt::Lanes`] that binds it.
    pub width: u32,
    /// What it is, if it is a constant.
    pub constant: Option<Const>,
    /// Whether it counts iterations.
    pub position: bool,
    /// Of a value that is borrowed, what it refers to; `None` if its variable owns it or holds a copy. Only the pass `ownership`
    /// fills this in.
    pub roots: Option<Vec<Value>>,
    /// Whether it is a struct that is only looked at, so that its variable holds its parts, by reference: it is borrowed from them.
    pub in_parts: bool,
}

/// Scalars that are written many times: lanes of an accumulator, a flag.
#[derive(Clone, Debug, PartialEq)]
pub struct Reg {
    /// Of each lane.
    pub ty: Scalar,
    /// A power of two, or any number where lanes are asked for by number only.
    pub lanes: u32,
    /// What [`Stmt::Start`] puts into each lane.
    pub start: Const,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Func {
    /// What it is for.
    pub role: Role,
    /// A name for people, unique: `loop3`.
    pub name: String,
    /// What a call hands over.
    pub params: Vec<Param>,
    /// What it reads besides, by the same names as its caller. Constants are not among them.
    pub captures: Vec<Value>,
    /// What it does, and its results.
    pub body: Block,
    /// Whether it is compiled once for each level of CPUs and chosen where it is called.
    pub dispatch: bool,
    /// Whether it does next to nothing for what it reads and writes, and so waits for memory.
    pub streams: bool,
    /// The user's token.
    pub loc: Loc,
}

/// What a function is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Takes the arguments of the program and gives its result.
    Entry,
    /// A loop, or what is around loops, apart so that its parameters are known not to overlap, or to be dispatched.
    Loop,
    /// Combines two values: `(a, b) -> c`.
    Reducer,
    /// Orders two elements: `(a, b) -> i32`.
    Comparator,
    /// The key of one element.
    Key,
    /// One iteration: the value or the key and the value that position `p` gives.
    Row,
}

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Param {
    /// A value.
    Value(Value),
    /// A vector, of which `of` is a part of the caller's; it has as many elements as iterations run, or as their
    /// loads of another stride span.
    Slice { column: Value, of: Value },
    /// A register, by reference.
    Reg(RegId),
    /// A store, by reference. A function opens a cursor to it when it begins.
    Store(StoreId),
}

/// An argument: as [`Param`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A value.
    Value(Value),
    /// The elements of a vector from a position on, and how many.
    Slice(Value, [Value; 2]),
    /// A register.
    Reg(RegId),
    /// A store; of one of exact length, from which position on.
    Store(StoreId, Option<Value>),
}

/// Statements in order, and the values that they leave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// What is done.
    pub stmts: Vec<Stmt>,
    /// What the block gives to what holds it.
    pub results: Vec<Value>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// An op without bodies that is no constant.
    Let { result: Value, op: Op, known: Known, loc: Loc },
    /// The element of `column` that `stride` says of `index`, which is there.
    Load { result: Value, column: Value, index: Value, stride: Stride },
    /// One of two blocks, which both give `results`. `cold`: the side that hardly ever runs.
    If { results: Vec<Value>, cond: Value, then: Block, els: Block, cold: Option<Side> },
    /// Do-while: `body` gives the next state, and then whether to go on. Polls before it does. Of those of `replaced`, which have owners, the memory is for
    /// states to come when the next one takes their place. `counted`: how many steps there are is known before (pass `count_steps`).
    Iterate {
        results: Vec<Value>,
        init: Vec<Value>,
        params: Vec<Value>,
        counted: Option<Counted>,
        replaced: Vec<Value>,
        body: Block,
        loc: Loc,
    },
    /// A loop on this thread.
    For(For),
    /// `width` iterations side by side, from `first` on: `index` is the position of each.
    Lanes(Lanes),
    /// Puts its start into each lane of a register.
    Start(RegId),
    /// `to` has the lanes of `from`, of which it has as many.
    Copy { to: RegId, from: RegId },
    /// `reg[lane] = reg[lane] op value`, where `mask` holds; in `Lanes`, for each lane in order.
    Accumulate { reg: RegId, lane: Lane, op: AccOp, value: Value, mask: Option<Value> },
    /// The lanes of a register folded from lane 0 on; of a register of one lane, that.
    Read { result: Value, reg: RegId, fold: ReduceOp },
    /// One lane of a register: that of a position, by its remainder.
    Pick { result: Value, reg: RegId, position: Value },
    /// Merges the best of the lanes of `best`, which were filled by [`AccOp::Better`], into `total`. `wanted` says whether there is
    /// a value that may have been merged, too, and would change `total`: then it is `open`.
    Rescan { wanted: Value, open: Value, total: RegId, best: RegId, op: ReduceOp },
    /// Does something with a store; see [`Action`]. `mask`: where it is done.
    Do {
        results: Vec<Value>,
        store: StoreId,
        action: Action,
        args: Vec<Value>,
        mask: Option<Value>,
        loc: Loc,
    },
    /// Calls a function; `args` are for its parameters.
    Call { results: Vec<Value>, func: FuncId, args: Vec<Arg> },
    /// A stable sort. `taken`: of a vector that nothing reads later, so that its elements are moved.
    Sort { result: Value, vector: Value, by: SortBy, taken: bool, loc: Loc },
    /// Asks for memory before it is wanted.
    Prefetch { what: Prefetch, index: Value },
    /// The fault, where `cond` holds.
    Fault { cond: Value, cause: Cause, loc: Loc },
    /// A loop over all threads.
    Split(Box<Split>),
    /// A copy that its variable owns. What takes a value that is borrowed or read again takes a copy.
    Clone { result: Value, value: Value },
    /// The program is done with a vector: its memory is for vectors to come.
    Release(Value),
}

/// `index` from `range[0]` below `range[1]`, in steps of `step`.
#[derive(Clone, Debug, PartialEq)]
pub struct For {
    /// The position.
    pub index: Value,
    /// The number of the iteration, where the body reads it.
    pub number: Option<Number>,
    /// Of a loop over strips, where the strip ends: `min(index + step, range[1])`.
    pub end: Option<Value>,
    /// Two positions.
    pub range: [Value; 2],
    /// At least 1. Without an `end`, it divides what is between the ends of the range.
    pub step: u32,
    /// Whether it asks between steps whether the run is cancelled.
    pub poll: bool,
    /// Whether it runs fewer iterations than a block has, so that copies of its body would be compiled for nothing.
    pub tail: bool,
    /// Whether it mostly runs few iterations, as the edge of a row does: copies of its body would be compiled for nothing, too.
    pub short: bool,
    /// Whether what it makes is given back: when a step ends, of a loop over strips, and when another loop ends. Nobody refers to it later.
    pub scoped: bool,
    /// After so many iterations, if there are more, the loop ends and the block runs, once.
    pub exit: Option<(u32, Block)>,
    /// What is done; it gives nothing.
    pub body: Block,
    /// What the loop IR decided about it, until passes have carried it out.
    pub hints: Option<Box<Hints>>,
    /// The user's token.
    pub loc: Loc,
}

/// The number of an iteration among all of its loop, an i64: `first + index`. It is bound when an iteration begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// What it binds.
    pub value: Value,
    /// The number of the first iteration of the range at hand, a position.
    pub first: Value,
}

/// What the loop IR decided about a loop: each is carried out, and taken away, by one pass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hints {
    /// Runs in blocks of so many iterations (pass `blocks`).
    pub block: Option<u32>,
    /// So many iterations merge by index together (pass `scatter_rows`).
    pub rows: Option<u32>,
    /// The store that it feeds, and nothing else (pass `merge_each`).
    pub feeds: Option<StoreId>,
    /// So many iterations are folded in order, too (pass `prologue`).
    pub prologue: Option<u32>,
    /// The columns that it reads far enough apart to be prefetched (pass `prefetch`).
    pub prefetch: Vec<Value>,
    /// Keys that are hashed some rows before they are merged by: column and store (pass `hash_ahead`).
    pub hash_ahead: Vec<(Value, StoreId)>,
    /// The registers whose extremes are found by comparing (pass `rescan`), with the lanes for it.
    pub compared: Vec<(RegId, u32)>,
    /// Iterations between polls; none if it does not poll (pass `strips`).
    pub strip: Option<u32>,
    /// Vectors to which each iteration appends at most one element (pass `reserve`).
    pub reserve: Vec<StoreId>,
    /// It is a part of a row of so many points, an i64, and is cut into edges and what is between them (pass `partition`).
    pub row: Option<Value>,
}

/// Iterations side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Lanes {
    /// The position of each lane.
    pub index: Value,
    /// The number of the iteration of each lane, where the body reads it.
    pub number: Option<Number>,
    /// The position of lane 0.
    pub first: Value,
    /// How many; a power of two.
    pub width: u32,
    /// Whether each lane is computed by instructions of its own: its values are taken one by one.
    pub apart: bool,
    /// Total `Let`s, loads, accumulates, and `Do`s. It gives nothing; what it binds can be read behind it, in the same block.
    pub body: Block,
}

/// What is known of an op.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Known {
    /// Nothing.
    #[default]
    Nothing,
    /// A slice lies in its vector, with as many elements as it asks for. An element is there, and is read without a branch.
    InBounds,
    /// A division of integers does not fault: its divisor is a constant, and neither 0 nor −1.
    Divides,
    /// A look-up has its search in common with others: that of this value is the first of them, which may be itself.
    Shared(Value),
    /// Nothing foretells which value a selection chooses: it is made without a branch.
    Unpredictable,
    /// The op takes what it reads, which nothing reads later.
    Taken,
    /// An angle is at most [`LARGEST_ANGLE`](weldment_runtime::math::LARGEST_ANGLE).
    Near,
}

/// A side of an `If`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Where the condition holds.
    Then,
    /// Where it does not.
    Else,
}

/// A lane of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// The first.
    Zero,
    /// That of a position, by its remainder.
    Of(Value),
}

/// How a value goes into a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccOp {
    /// By an operator.
    Reduce(ReduceOp),
    /// The lesser (`Min`) or greater (`Max`) of both by comparison alone: no NaN, and either of two zeros.
    Better(ReduceOp),
    /// Into a flag: whether the value has the bits of this one.
    Same(Value),
    /// In place of what was there.
    Set,
    /// Into a flag.
    Or,
}

/// What a sort orders by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortBy {
    /// A function of two elements.
    Comparator(FuncId),
    /// A scalar of each element, in its total order. `once`: it is costly, so that it is kept.
    Key { func: FuncId, descending: bool, once: bool },
}

/// What is prefetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefetch {
    /// What the elements of so many iterations from `index` on will be followed by. Only on CPUs that gain by it.
    Block { column: Value, width: u32 },
    /// The same of what is written to a vector of exact length.
    Written { store: StoreId, width: u32 },
    /// The element some iterations later.
    Element { column: Value },
    /// What the row some iterations later holds, if there is one.
    Row { column: Value },
    /// Where the search for a key begins, which `index` is.
    Place { dict: Value },
    /// What stands there says where key and value are: these.
    Found { dict: Value },
}

/// Why a statement faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A reduction of nothing.
    Empty,
}

/// A loop over all threads: `extent` iterations in chunks, of which consecutive ones form tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// The number of iterations, an i64.
    pub extent: Value,
    /// How it is cut.
    pub plan: Plan,
    /// Positions: the range of a task in `init` (where tasks are open, none is known), that of a chunk in `update`.
    pub range: [Value; 2],
    /// What a chunk leaves for `add`.
    pub totals: Vec<Total>,
    /// The stores of which each task has a part.
    pub parts: Vec<StoreId>,
    /// A task begins.
    pub init: Block,
    /// A chunk runs.
    pub update: Block,
    /// The totals of the next chunk, in order, join those so far.
    pub add: Block,
    /// The parts of the next task, in order, join those so far.
    pub merge: Block,
    /// The user's token.
    pub loc: Loc,
}

/// What a chunk leaves for `add`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// A register of one lane: `update` writes `chunk`, and `add` reads it and accumulates in `all`, which was started before.
    Reg { chunk: RegId, all: RegId },
    /// A store that begins in each chunk.
    Store(StoreId),
}

/// How a loop is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The iterations of a chunk.
    pub chunk: u64,
    /// What a task is.
    pub task: Task,
}

/// A run of chunks that one thread does with one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// As many chunks as the driver chooses.
    Any,
    /// So few that what is collected does not leave the caches before it is joined.
    Short,
    /// As many as it becomes.
    Open,
    /// A segment, which is part of the meaning: of so many iterations, or of the rule's length.
    Segments(Option<u64>),
}

impl Task {
    /// The number by which a driver is told of it.
    ///
    /// ```
    /// use weldment_codegen::imp::Task;
    /// assert_eq!((Task::Any.number(), Task::Segments(None).number()), (0, 3));
    /// ```
    pub const fn number(self) -> i64 {
        match self {
            Task::Any => 0,
            Task::Short => 1,
            Task::Open => 2,
            Task::Segments(_) => 3,
        }
    }
}
