//! Sorting rows by the digits of unsigned numbers, the least digit first, so that equal rows keep their order.
//!
//! Each digit is a byte. How often each value of each digit occurs is counted in one walk; a digit that all rows have in common
//! costs nothing more. On several threads each sorts a piece, and pieces are merged two and two, each pair by several threads.

use std::mem::swap;

use crate::builders::collect::with_capacity;
use crate::context::Context;
use crate::fault::Fault;
use crate::pool;

/// How many values a digit has.
const DIGITS: usize = 1 << u8::BITS;

/// No piece of fewer rows is given to a thread.
const PIECE: usize = if cfg!(miri) { 64 } else { 1 << 15 };

/// `rows`, sorted by what `digits` gives for each, of which the lowest `bytes` bytes count.
///
/// # Errors
/// The fault that memory is out or the run cancelled.
///
/// ```
/// use weldment_runtime::context::Context;
/// use weldment_runtime::sort::sort_rows;
/// let sorted = sort_rows(Context::ambient(), vec![(300, 'a'), (2, 'b'), (300, 'c')], 2, |row| row.0)?;
/// assert_eq!(sorted, [(2, 'b'), (300, 'a'), (300, 'c')]);
/// # Ok::<(), weldment_runtime::fault::Fault>(())
/// ```
pub fn sort<R: Clone + Send + Sync>(
    cx: &Context,
    mut rows: Vec<R>,
    bytes: usize,
    digits: impl Fn(&R) -> u64 + Copy + Sync,
) -> Result<Vec<R>, Fault> {
    let mut spare = with_capacity(cx, rows.len())?;
    spare.extend_from_slice(&rows);
    let pieces = cx.threads().min(rows.len() / PIECE).max(1);
    let piece = rows.len().div_ceil(pieces).max(1);
    let halves: Vec<_> = rows.chunks_mut(piece).zip(spare.chunks_mut(piece)).collect();
    pool::each(cx, halves, &|(rows, spare)| by_digits(cx, rows, spare, bytes, digits))?;
    let mut sorted = piece;
    while sorted < rows.len() {
        let pairs: Vec<_> = rows.chunks(2 * sorted).zip(spare.chunks_mut(2 * sorted)).collect();
        let parts = cx.threads().div_ceil(pairs.len());
        let merges = pairs.into_iter().flat_map(|(from, to)| split(from, sorted, to, parts, digits));
        pool::each(cx, merges.collect(), &|merge: Merge<'_, R>| merge.run(cx, digits))?;
        swap(&mut rows, &mut spare);
        sorted *= 2;
    }
    cx.discharge(size_of_val(&spare[..]));
    Ok(rows)
}

/// Sorts `rows`, with `spare` of the same length for work.
fn by_digits<R: Clone>(
    cx: &Context,
    rows: &mut [R],
    spare: &mut [R],
    bytes: usize,
    digits: impl Fn(&R) -> u64,
) -> Result<(), Fault> {
    let digit = |row: &R, place: usize| (digits(row) >> (u8::BITS as usize * place)) as u8 as usize;
    let mut counts = vec![[0; DIGITS]; bytes];
    for row in &*rows {
        for (place, counts) in counts.iter_mut().enumerate() {
            counts[digit(row, place)] += 1;
        }
    }
    let (mut from, mut to) = (&mut *rows, &mut *spare);
    let mut swapped = false;
    for (place, counts) in counts.iter_mut().enumerate() {
        if counts.contains(&from.len()) {
            continue;
        }
        cx.poll()?;
        let mut start = 0;
        for count in counts.iter_mut() {
            start += std::mem::replace(count, start);
        }
        for row in &*from {
            let next = &mut counts[digit(row, place)];
            to[*next] = row.clone();
            *next += 1;
        }
        swap(&mut from, &mut to);
        swapped = !swapped;
    }
    if swapped {
        rows.clone_from_slice(spare);
    }
    Ok(())
}

/// Two runs, and the place of what they are together.
struct Merge<'r, R> {
    left: &'r [R],
    right: &'r [R],
    to: &'r mut [R],
}

/// The merge of the first `sorted` rows of `from` with the others, as that of `parts` parts of each.
fn split<'r, R>(
    from: &'r [R],
    sorted: usize,
    to: &'r mut [R],
    parts: usize,
    digits: impl Fn(&R) -> u64,
) -> Vec<Merge<'r, R>> {
    let (mut left, mut right) = from.split_at(sorted.min(from.len()));
    let mut to = to;
    let mut merges = Vec::with_capacity(parts);
    for rest in (1..=parts).rev() {
        let here = left.len() / rest;
        let there = match left.get(here) {
            // Of equal rows those of the left run come first.
            Some(first) if rest > 1 => right.partition_point(|row| digits(row) < digits(first)),
            _ => right.len(),
        };
        let here = if rest > 1 { here } else { left.len() };
        let (own, others) = std::mem::take(&mut to).split_at_mut(here + there);
        merges.push(Merge { left: &left[..here], right: &right[..there], to: own });
        (left, right, to) = (&left[here..], &right[there..], others);
    }
    merges
}

impl<R: Clone> Merge<'_, R> {
    fn run(self, cx: &Context, digits: impl Fn(&R) -> u64) -> Result<(), Fault> {
        let Merge { mut left, mut right, to } = self;
        cx.poll()?;
        for place in to {
            let takes_right = match (left.first(), right.first()) {
                (Some(a), Some(b)) => digits(b) < digits(a),
                (first, _) => first.is_none(),
            };
            let run = if takes_right { &mut right } else { &mut left };
            *place = run[0].clone();
            *run = &run[1..];
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;

    #[test]
    fn rows_are_sorted_stably_on_any_number_of_threads() {
        let count = if cfg!(miri) { 300 } else { 5 * PIECE + 17 };
        for spread in [1, 7, 70_000, u64::MAX / 3] {
            let mut state = 1u64;
            let rows: Vec<(u64, usize)> = (0..count)
                .map(|row| {
                    state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                    ((state >> 7) % spread, row)
                })
                .collect();
            let mut wanted = rows.clone();
            wanted.sort_by_key(|row| row.0);
            for threads in [1, 2, 3, 5] {
                let cx = Context::new(&Options::new().threads(threads));
                let sorted = sort(&cx, rows.clone(), 8, |row| row.0).unwrap();
                assert!(sorted == wanted, "{spread} {threads}");
            }
        }
    }
}
