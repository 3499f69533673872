//! What is known of the values of an iteration: which are the same in all of a row, which move with its number, and for which numbers
//! a condition holds.

use weldment_core::ir::Value;

use crate::imp::Stride;

/// What a value is in the iteration of number `v`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fact {
    /// The same in all iterations.
    Fixed(Value),
    /// `v + base + offset`; of groups, `v / size + base + offset`; of multiples, `v * n + base + offset`; of parts,
    /// `(v + start + ahead) / by + base + offset`, `start` being where the interior is aligned.
    Moving(Offset),
    /// `v - v % size + base + offset`.
    Begins(Offset),
    /// `v % size`.
    Within,
    /// `(v + base + offset) % by`.
    Rest { of: Offset, by: u32 },
    /// Whether all of these hold.
    Holds(Vec<Test>),
}

/// `base + offset`: a value of all iterations, and a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Offset {
    pub(super) base: Option<Value>,
    pub(super) offset: i64,
    pub(super) unit: Unit,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Iterations,
    /// Of iterations, where a row consists of groups.
    Groups,
    /// Each iteration counts so often, a power of two.
    Times(u32),
    /// So many iterations count once, a power of two; the first ones by so many sooner.
    Parts {
        by: u32,
        ahead: u32,
    },
}

impl Unit {
    /// The elements that are read where this is the number of one.
    pub(super) fn stride(self) -> Option<Stride> {
        match self {
            Unit::Iterations => Some(Stride::One),
            Unit::Groups => None,
            Unit::Times(times) => Some(Stride::Times(times)),
            Unit::Parts { by, ahead } => Some(Stride::Parts { by, ahead }),
        }
    }
}

impl Offset {
    /// So many iterations.
    pub(super) fn of(base: Option<Value>, offset: i64) -> Offset {
        Offset { base, offset, unit: Unit::Iterations }
    }

    /// One more.
    pub(super) fn next(self) -> Offset {
        Offset { offset: self.offset + 1, ..self }
    }
}

/// What is asked about `v`, or about all iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Test {
    /// A bool that is the same in all iterations.
    Fixed(Value),
    /// `v < bound`.
    Below(Offset),
    /// `v >= bound`.
    From(Offset),
    /// `v == bound`.
    At(Offset),
    /// `v != bound`.
    Other(Offset),
}

impl Test {
    /// What holds where this does not.
    pub(super) fn inverse(self) -> Option<Test> {
        Some(match self {
            Test::Fixed(_) => return None,
            Test::Below(bound) => Test::From(bound),
            Test::From(bound) => Test::Below(bound),
            Test::At(bound) => Test::Other(bound),
            Test::Other(bound) => Test::At(bound),
        })
    }

    /// Whether it is taken to hold in most iterations: that `v` is below a bound is, unless this is near to the first one, and that
    /// it is one number is not.
    pub(super) fn is_likely(self) -> bool {
        !matches!(self, Test::At(_) | Test::Below(Offset { base: None, .. }))
    }
}
