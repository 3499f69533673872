//! The same by hand: the formula once more, in loops of Rust with the functions of the C library.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

use rayon::prelude::*;
use weldment_pricing::{Contract, Greeks, Kind, Quote, RATE};

use crate::kernel::{Position, Risk};

/// Positions per piece: few sums to put together, and enough pieces for all threads.
const PIECE: usize = 1 << 14;

const NOTHING: Risk =
    Risk { greeks: Greeks { value: 0.0, delta: 0.0, gamma: 0.0, vega: 0.0 }, fallen: 0.0, positions: 0 };

fn below(x: f64) -> f64 {
    0.5 + 0.5 * libm::erf(x * FRAC_1_SQRT_2)
}

/// What an option is worth, and how that changes with the price.
fn value(contract: &Contract, price: f64, near: f64, spread: f64, discounted: f64) -> (f64, f64) {
    let is_above = below(near);
    let call = price * is_above - discounted * below(near - spread);
    match contract.kind {
        Kind::Call => (call, is_above),
        Kind::Put => (call + discounted - price, is_above - 1.0),
    }
}

/// What the values before and after the fall have in common is computed once.
fn risk(position: &Position, part: f64) -> Risk {
    let Position { contract, quote: Quote { price, volatility }, quantity, .. } = position;
    let root = contract.years.sqrt();
    let spread = volatility * root;
    let drift = (RATE + 0.5 * volatility * volatility) * contract.years;
    let discounted = contract.strike * (-RATE * contract.years).exp();
    let near = |price: f64| ((price / contract.strike).ln() + drift) / spread;
    let (now, low) = (near(*price), price * (1.0 - part));
    let (worth, delta) = value(contract, *price, now, spread, discounted);
    let (after, _) = value(contract, low, near(low), spread, discounted);
    let height = 0.5 * FRAC_1_SQRT_2 * FRAC_2_SQRT_PI * (-0.5 * now * now).exp();
    let greeks = Greeks {
        value: worth * quantity,
        delta: delta * quantity,
        gamma: height / (price * spread) * quantity,
        vega: price * height * root * quantity,
    };
    Risk { greeks, fallen: after * quantity, positions: 1 }
}

fn add(sum: &mut Risk, risk: &Risk) {
    sum.greeks.value += risk.greeks.value;
    sum.greeks.delta += risk.greeks.delta;
    sum.greeks.gamma += risk.greeks.gamma;
    sum.greeks.vega += risk.greeks.vega;
    sum.fallen += risk.fallen;
    sum.positions += risk.positions;
}

fn sum(risks: impl Iterator<Item = Risk>) -> Risk {
    risks.fold(NOTHING, |mut sum, risk| {
        add(&mut sum, &risk);
        sum
    })
}

/// Of the whole portfolio.
pub(crate) fn total(positions: &[Position], part: f64) -> Risk {
    let of_piece = |piece: &[Position]| sum(piece.iter().map(|position| risk(position, part)));
    let pieces: Vec<Risk> = positions.par_chunks(PIECE).map(of_piece).collect();
    sum(pieces.into_iter())
}

/// Of each book, in the order of their numbers: a table has a place for each that there may be.
pub(crate) fn books(positions: &[Position], part: f64) -> Vec<(u8, Risk)> {
    let of_piece = |piece: &[Position]| {
        let mut table = [NOTHING; 256];
        piece.iter().for_each(|position| add(&mut table[position.book as usize], &risk(position, part)));
        table
    };
    let tables: Vec<[Risk; 256]> = positions.par_chunks(PIECE).map(of_piece).collect();
    let books = (0..=255).map(|book| (book, sum(tables.iter().map(|table| table[usize::from(book)]))));
    books.filter(|(_, risk)| risk.positions > 0).collect()
}
