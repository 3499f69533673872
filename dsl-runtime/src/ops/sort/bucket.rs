//! Sorting what fits a cache, by its digits, the greatest first.

use std::mem::replace;

/// So few rows are compared, each with those before it.
const FEW: usize = if cfg!(miri) { 7 } else { 24 };

/// So many rows are to share a digit, as a power of two: with fewer, more places are counted than rows.
const SHARED: u32 = 2;

// A digit of no bits would tell nothing apart, for ever.
const _: () = assert!((FEW + 1).ilog2() > SHARED);

/// A digit has no more bits.
const WIDEST: u32 = 11;

/// Sorts `rows` by what `digits` gives for each; equal rows keep their order. `spare` is at least as long, and what it holds is
/// lost. `counts`, which is empty, is left so, with memory for the next call.
pub(super) fn sort<R: Clone>(
    rows: &mut [R],
    spare: &mut [R],
    counts: &mut Vec<u32>,
    digits: impl Fn(&R) -> u64 + Copy,
) {
    let Some(first) = rows.first().map(digits) else { return };
    let varying = rows.iter().fold(0, |varying, row| varying | (digits(row) ^ first));
    let spare = &mut spare[..rows.len()];
    by_bits(rows, spare, u64::BITS - varying.leading_zeros(), false, counts, digits);
}

/// Sorts `from` by the lowest `bits` bits of its digits, into `to` if `moves`, else in place. Both have the same length.
fn by_bits<R: Clone>(
    from: &mut [R],
    to: &mut [R],
    bits: u32,
    moves: bool,
    counts: &mut Vec<u32>,
    digits: impl Fn(&R) -> u64 + Copy,
) {
    if from.len() <= FEW || bits == 0 {
        let rows = if moves {
            to.clone_from_slice(from);
            to
        } else {
            from
        };
        if bits > 0 {
            rows.sort_by_key(digits);
        }
        return;
    }
    let width = (from.len().ilog2() - SHARED).min(WIDEST).min(bits);
    let shift = bits - width;
    let digit = |row: &R| (digits(row) >> shift) as usize & ((1 << width) - 1);
    let base = counts.len();
    counts.resize(base + (1 << width), 0);
    let own = &mut counts[base..];
    for row in &*from {
        own[digit(row)] += 1;
    }
    if own[digit(&from[0])] as usize == from.len() {
        counts.truncate(base);
        return by_bits(from, to, shift, moves, counts, digits);
    }
    let mut start = 0;
    for count in own.iter_mut() {
        start += replace(count, start);
    }
    for row in &*from {
        let next = &mut own[digit(row)];
        to[*next as usize] = row.clone();
        *next += 1;
    }
    // Where one digit ends, the next starts.
    let mut start = 0;
    for place in base..base + (1 << width) {
        let end = counts[place] as usize;
        if start < end {
            by_bits(&mut to[start..end], &mut from[start..end], shift, !moves, counts, digits);
        }
        start = end;
    }
    counts.truncate(base);
}
