//! The names of things in emitted code.
//!
//! | name | thing |
//! |---|---|
//! | `v7` | the value |
//! | `k7` | where the loop with index `v7` stands, counted from the start of its range |
//! | `c3_7` | the vector `v3`, cut to the range of the loop with index `v7` |
//! | `chunks3`, `chunk3` | the same vector in blocks, and the block at hand |
//! | `s2`, `s2_0` | the state of store `#2`, the lanes of its first leaf |
//! | `s2_seen` | whether it was merged into |
//! | `o2_0` | the first values merged into that leaf, folded in order |
//! | `p2`, `p2_0` | what a piece adds to store `#2` |
//! | `t2`, `t2_0` | what all pieces or units so far came to |
//! | `b2`, `m2` | the block of values that goes to store `#2`, and which of them are kept |
//! | `q2` | the best values in the lanes of a block, where store `#2` is an extreme that is compared |
//! | `a7` | the values `v7` of a block, from one stage of it to those after it |
//! | `h2` | the hashes of the next rows' keys in the table of store `#2` |
//! | `x2` | the whole vector that store `#2` fills |
//! | `at7` | where the look-up that gives `v7` has found its key, for others |
//! | `f2`, `nest3`, `loop7` | the function that store `#2` folds by, the code of nest 3, of the loop with index `v7` |

use proc_macro2::Ident;
use quote::format_ident;
use weldment_core::ir::{Entity, Sink, Value};

pub(super) fn value(value: Value) -> Ident {
    format_ident!("v{}", value.index())
}

pub(super) fn found(first: Value) -> Ident {
    format_ident!("at{}", first.index())
}

pub(super) fn position(index: Value) -> Ident {
    format_ident!("k{}", index.index())
}

pub(super) fn column(vector: Value, index: Value) -> Ident {
    format_ident!("c{}_{}", vector.index(), index.index())
}

/// An element of that column.
pub(super) fn element(vector: Value, index: Value) -> Ident {
    format_ident!("e{}_{}", vector.index(), index.index())
}

pub(super) fn hashes(sink: Sink) -> Ident {
    format_ident!("h{}", sink.index())
}

pub(super) fn chunks(vector: Value) -> Ident {
    format_ident!("chunks{}", vector.index())
}

pub(super) fn chunk(vector: Value) -> Ident {
    format_ident!("chunk{}", vector.index())
}

/// Whose the parts of a store are: the state at hand, the lanes that blocks have for it, what comes of its first
/// values in order, what a piece adds, what all came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    State,
    Lanes,
    Order,
    Piece,
    Total,
}

impl Of {
    fn letter(self) -> char {
        match self {
            Of::State => 's',
            Of::Lanes => 'l',
            Of::Order => 'o',
            Of::Piece => 'p',
            Of::Total => 't',
        }
    }
}

pub(super) fn store(of: Of, sink: Sink) -> Ident {
    format_ident!("{}{}", of.letter(), sink.index())
}

pub(super) fn leaf(of: Of, sink: Sink, leaf: usize) -> Ident {
    format_ident!("{}{}_{}", of.letter(), sink.index(), leaf)
}

pub(super) fn seen(of: Of, sink: Sink) -> Ident {
    format_ident!("{}{}_seen", of.letter(), sink.index())
}

pub(super) fn block(sink: Sink) -> Ident {
    format_ident!("b{}", sink.index())
}

pub(super) fn carried(value: Value) -> Ident {
    format_ident!("a{}", value.index())
}

pub(super) fn best(sink: Sink) -> Ident {
    format_ident!("q{}", sink.index())
}

pub(super) fn mask(sink: Sink) -> Ident {
    format_ident!("m{}", sink.index())
}

pub(super) fn function(sink: Sink) -> Ident {
    format_ident!("f{}", sink.index())
}

pub(super) fn loop_function(index: Value) -> Ident {
    format_ident!("loop{}", index.index())
}

pub(super) fn whole(sink: Sink) -> Ident {
    format_ident!("x{}", sink.index())
}

pub(super) fn nest(id: usize) -> Ident {
    format_ident!("nest{id}")
}
