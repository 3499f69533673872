//! The queries as the best loops that we know how to write by hand. They set the mark for the kernels.
//!
//! Rows are cut into pieces that the threads of the rayon pool share; the partial results are put together in
//! the order of the rows, so they do not depend on the number of threads.

use std::ops::Range;

use rayon::prelude::*;

use super::answers::{Q1, Q1Sums};
use super::cpu::dispatch;
use super::data::Lineitem;

/// Rows per piece of Q6.
const PIECE: usize = 1 << 16;

/// Rows per table of Q1.
const SEGMENT: usize = 1 << 18;

/// The sum is kept in as many lanes as fill the registers of two additions: adding is associative only in
/// lanes of one's own, and without lanes the compiler must add one row after the other.
const LANES: usize = 16;

pub(crate) fn q6(t: &Lineitem) -> f64 {
    let sums: Vec<f64> = pieces(t.rows(), PIECE)
        .map(|rows| {
            dispatch(
                #[inline(always)]
                || {
                    q6_piece(
                        &t.extendedprice[rows.clone()],
                        &t.discount[rows.clone()],
                        &t.quantity[rows.clone()],
                        &t.shipdate[rows],
                    )
                },
            )
        })
        .collect();
    sums.iter().sum()
}

#[inline(always)]
fn q6_piece(price: &[f64], discount: &[f64], quantity: &[f64], ship: &[i32]) -> f64 {
    let (prices, price) = price.as_chunks::<LANES>();
    let (discounts, discount) = discount.as_chunks::<LANES>();
    let (quantities, quantity) = quantity.as_chunks::<LANES>();
    let (ships, ship) = ship.as_chunks::<LANES>();
    let mut sums = [-0.0; LANES];
    for (((price, discount), quantity), ship) in prices.iter().zip(discounts).zip(quantities).zip(ships) {
        for lane in 0..LANES {
            sums[lane] += q6_row(price[lane], discount[lane], quantity[lane], ship[lane]);
        }
    }
    let mut sum = sums.iter().fold(-0.0, |sum, lane| sum + lane);
    for (((price, discount), quantity), ship) in price.iter().zip(discount).zip(quantity).zip(ship) {
        sum += q6_row(*price, *discount, *quantity, *ship);
    }
    sum
}

/// What a row adds: −0.0, which changes no sum, where it does not qualify. Choosing a value instead of
/// branching, and `&` instead of `&&`, is what lets the loop run on whole registers.
#[expect(clippy::manual_range_contains, reason = "`contains` brings `&&` back")]
#[inline(always)]
fn q6_row(price: f64, discount: f64, quantity: f64, ship: i32) -> f64 {
    let qualifies =
        (ship >= 8766) & (ship < 9131) & (discount >= 0.05) & (discount <= 0.07) & (quantity < 24.0);
    if qualifies { price * discount } else { -0.0 }
}

/// One line of Q1 while rows are added to it.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Slot {
    quantity: f64,
    price: f64,
    discounted: f64,
    charge: f64,
    discount: f64,
    count: i64,
}

/// Both flags are capital letters, whose low five bits differ.
const SLOTS: usize = 1 << 10;

pub(crate) fn q1(t: &Lineitem) -> Q1 {
    let tables: Vec<Vec<Slot>> = pieces(t.rows(), SEGMENT)
        .map(|rows| {
            dispatch(
                #[inline(always)]
                || {
                    q1_segment(
                        &t.returnflag[rows.clone()],
                        &t.linestatus[rows.clone()],
                        &t.quantity[rows.clone()],
                        &t.extendedprice[rows.clone()],
                        &t.discount[rows.clone()],
                        &t.tax[rows.clone()],
                        &t.shipdate[rows],
                    )
                },
            )
        })
        .collect();
    let mut sums = vec![Slot::default(); SLOTS];
    for table in &tables {
        for (sum, slot) in sums.iter_mut().zip(table) {
            sum.quantity += slot.quantity;
            sum.price += slot.price;
            sum.discounted += slot.discounted;
            sum.charge += slot.charge;
            sum.discount += slot.discount;
            sum.count += slot.count;
        }
    }
    let letter = |bits: usize| b'@' | bits as u8;
    (sums.iter().enumerate())
        .filter(|(_, sum)| sum.count > 0)
        .map(|(i, sum)| ((letter(i >> 5), letter(i & 31)), Q1Sums::from(sum)))
        .collect()
}

#[inline(always)]
fn q1_segment(
    flag: &[u8],
    status: &[u8],
    quantity: &[f64],
    price: &[f64],
    discount: &[f64],
    tax: &[f64],
    ship: &[i32],
) -> Vec<Slot> {
    let mut table = vec![Slot::default(); SLOTS];
    let n = ship.len();
    // With slices of a length that is known to be equal, no index below is checked.
    let (flag, status, quantity) = (&flag[..n], &status[..n], &quantity[..n]);
    let (price, discount, tax) = (&price[..n], &discount[..n], &tax[..n]);
    for i in 0..n {
        if ship[i] <= 10471 {
            let slot = &mut table[((flag[i] & 31) as usize) << 5 | (status[i] & 31) as usize];
            let discounted = price[i] * (1.0 - discount[i]);
            slot.quantity += quantity[i];
            slot.price += price[i];
            slot.discounted += discounted;
            slot.charge += discounted * (1.0 + tax[i]);
            slot.discount += discount[i];
            slot.count += 1;
        }
    }
    table
}

impl From<&Slot> for Q1Sums {
    fn from(slot: &Slot) -> Q1Sums {
        (slot.quantity, slot.price, slot.discounted, slot.charge, slot.discount, slot.count)
    }
}

fn pieces(rows: usize, piece: usize) -> impl IndexedParallelIterator<Item = Range<usize>> {
    (0..rows.div_ceil(piece)).into_par_iter().map(move |i| i * piece..rows.min((i + 1) * piece))
}
