//! The risk of a portfolio as kernels, of functions of the library.

use weldment::{Dict, Kernel, Weld, weld, welded};
use weldment_pricing::{Contract, Greeks, Quote, fallen, greeks, scaled};

/// So many options of a kind, in a book.
#[derive(Clone, Copy, Debug, PartialEq, Weld)]
pub(crate) struct Position {
    /// Who answers for it.
    pub(crate) book: u8,
    /// What is held.
    pub(crate) contract: Contract,
    /// What the market says of the share.
    pub(crate) quote: Quote,
    /// How many; less than none if they are owed.
    pub(crate) quantity: f64,
}

/// What is known of positions. Of several of them it is added, field by field.
#[derive(Clone, Copy, Debug, PartialEq, Weld)]
pub(crate) struct Risk {
    /// What they are worth, and how that changes.
    pub(crate) greeks: Greeks,
    /// What they are worth after all prices have fallen.
    pub(crate) fallen: f64,
    /// How many they are.
    pub(crate) positions: i64,
}

/// Of positions, if prices fall by a part.
type Total = fn(&[Position], f64) -> Risk;
type Books = fn(&[Position], f64) -> Dict<u8, Risk>;

/// The risk of one position, if prices fall by a part. Of the Greeks behind the fall only the value is computed, and what both have
/// in common only once: to the optimiser it is one body, whichever crate its parts come from.
#[welded]
pub(crate) fn risk(p: Position, part: f64) -> Risk {
    let after = greeks(p.contract, fallen(p.quote, part));
    Risk {
        greeks: scaled(greeks(p.contract, p.quote), p.quantity),
        fallen: after.value * p.quantity,
        positions: 1,
    }
}

/// Of the whole portfolio. Its loop takes sixteen positions at a time, with logarithms and the like in vectors.
pub(crate) static TOTAL: Kernel<Total> = weld!(
    #[expect(loops = 1, materialized = 0)]
    |positions: &[Position], part: f64| -> Risk { positions.map(|p| risk(p, part)).sum() }
);

/// Of each book. A loop that makes a dictionary takes one position after the other.
pub(crate) static BOOKS: Kernel<Books> = weld!(
    #[expect(loops = 1, materialized = 0)]
    |positions: &[Position], part: f64| -> Dict<u8, Risk> {
        positions.reduce_by(|p| p.book, |p| risk(p, part), +)
    }
);
