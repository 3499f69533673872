//! Stores: what loops merge into, how each is kept, and what is done with it.

// Fields whose names say it all have no comment of their own.
#![allow(missing_docs)]

use weldment_core::ir::{Loc, ReduceOp, Value};
use weldment_runtime::lang::types::Type;

use super::ids::{FuncId, StoreId};

/// What loops merge into, and the vector, dictionary or value that comes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Store {
    /// Of a dictionary, the type of its keys.
    pub key: Option<Type>,
    /// Of what is merged: elements, or the values of a dictionary.
    pub item: Type,
    /// How two values under one key, at one index or in one box become one.
    pub combine: Combine,
    /// How it is kept.
    pub strategy: Strategy,
    /// Whether the order of combining shows.
    pub ordering: Ordering,
    /// Where its memory is from.
    pub memory: Memory,
    /// Whether the tasks of a split loop fill it.
    pub split: bool,
    /// Of a dictionary, whether the program searches any like it.
    pub searched: bool,
    /// What it becomes.
    pub result: Value,
    /// The user's token.
    pub loc: Loc,
}

/// How two values become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// They do not: all are kept, in order.
    Append,
    /// By an operator, leaf by leaf.
    Op(ReduceOp),
    /// By a function.
    Func(FuncId),
    /// The last stays.
    Last,
}

/// How a store is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Nothing yet, or one value: a fold by a function.
    Boxed,
    /// A vector of `each` elements for each iteration, in its memory before the loop begins.
    Exact { each: u32 },
    /// A matrix that lies row by row, of which tasks write some columns each, from the first row on, or `upwards` from the last.
    Columns { upwards: bool },
    /// A vector of at most one element for each iteration, which tasks write one behind the other.
    Ordered,
    /// A vector that grows.
    Grow,
    /// A vector of vectors that are read row by row only: the elements of rows lie one after the other.
    Ragged,
    /// A table with a slot for each key there could be.
    Direct { bits: u32 },
    /// A table of slots that hold key and value, and partitions by hash once there are many keys.
    Small { packing: Option<Packing> },
    /// A hash table.
    Hashed,
    /// What is merged is appended, and the last value of each key found in the end.
    LastWins { packing: Option<Packing> },
    /// A hash table of vectors.
    Groups,
    /// A vector, in place: merges by index.
    InPlace,
    /// The same, in a vector for each task that is combined in order, since the operator rounds.
    Partial,
}

/// How a slot of a [`Strategy::Small`] table is packed, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Of a key: 1 or 2.
    pub key: u8,
    /// Whether a key is half a word.
    pub narrow: bool,
    /// Of a value: 1 to 4.
    pub value: u8,
    /// Whether all its leaves are words that are added.
    pub sum: bool,
}

/// Whether the order in which a store combines what is merged shows in its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordering {
    /// It does not.
    Any,
    /// It does: segments are combined in order.
    Segments,
}

/// Where the memory of a store's result is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The run.
    Run,
    /// It is part of the result, which the caller may have memory for.
    Result,
    /// The program is done with it before it ends: from, and back to, the pool.
    Temporary,
    /// It is a state of an `iterate`: from what an earlier state has left.
    State,
    /// It is a row of this store, made where that has room.
    Row(StoreId),
}

/// What is done with a store. Arguments stand in brackets, results behind an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Makes it. `Boxed [init]?`; `Exact` and `Ordered [extent]`, a position; `Columns [rows, columns]`, positions; `Grow [hint]?`, an i64; `InPlace` and `Partial [vector]`.
    Open,
    /// A part begins, of a task or, for `Boxed`, of a chunk, or, for `Columns`, of either: `[lo, hi]`, or `[]` where the range is not known.
    Begin,
    /// So many merges will come at most: `[count]`, a position.
    Expect,
    /// A vector that grows makes room for so many elements: `[count]`, a position.
    Reserve,
    /// Behind what is there: `[value]`.
    Append,
    /// The same where a [`Reserve`](Action::Reserve) before the loop has made room: `[value]`.
    AppendReserved,
    /// `Grow`: behind what is there, the elements of a vector, which are scalars or structs of them, in order: `[vector]`.
    Extend,
    /// `Exact { each: 1 }`: the element of a position: `[position, value]`. Positions count from the start of the chunk, or from the
    /// one that a function is handed with its store. `Columns`: the same, counted from the first element of all, row by row, and each row in order.
    Put,
    /// `Exact { each: 1 }`: all elements of `[count]` positions from 0 on, by a function of the position.
    Fill(FuncId),
    /// Combines: `[value]`, `[key, value]` or `[index, value]`.
    Merge,
    /// `Small`: merges what the function gives for each of `[count]` positions.
    MergeEach(FuncId),
    /// Hashes the keys of the next rows of a column, if those of the last ones are used up: `[column, position]`. Merges of the
    /// iteration are by the key of that row.
    HashAhead,
    /// `InPlace` and `Partial`: merges a block of `[index, value]`, which have lanes, if all indices are inside: `-> bool`.
    MergeBlock,
    /// `InPlace` and `Partial`: whether there is a place for each of the first `[count]` elements, a position: `-> bool`.
    Covers,
    /// `InPlace` and `Partial` that cover it: what has been merged into the element of a position so far: `[position] -> value`.
    Get,
    /// The same: puts another value in its place: `[position, value]`.
    Set,
    /// The part at hand joins all that came before it.
    Join,
    /// What has come of it: `-> value`. A box without an initial value faults where nothing was merged.
    Finish,
}
