//! Sorting rows by unsigned numbers, their digits, so that equal rows keep their order.
//!
//! The greatest bits first: rows are dealt out to buckets of about the same size, in the order of their digits, and
//! each bucket, which fits a cache, is sorted for itself (`bucket.rs`). Which numbers belong to which bucket is found by
//! counting how often each value of the greatest bits occurs, so that keys which crowd together, as floats do, fill buckets
//! evenly as well. Buckets are few, since a processor writes to few places at a time as fast as to one.
//!
//! On several threads each deals out a piece of the rows, to places of its own in each bucket, and then sorts some of the
//! buckets. Nothing is merged.

use std::array;
use std::mem::take;
use std::ops::Range;
use std::slice::IterMut;

use super::bucket;
use crate::exec::context::{Context, STRIP};
use crate::exec::threads;
use crate::lang::fault::Fault;
use crate::store::vector::growable::with_capacity;

/// No piece of fewer rows is given to a thread, and fewer rows are one bucket.
const PIECE: usize = if cfg!(miri) { 64 } else { 1 << 15 };

/// A piece has no more rows, so that they can be counted in 32 bits.
const LONGEST: usize = 1 << 31;

/// By so many bits rows are told apart.
const PREFIX: u32 = if cfg!(miri) { 6 } else { 16 };

/// Into how many buckets rows are dealt out, about: twice as many take twice as long.
const BUCKETS: usize = 64;

/// A bucket of more bytes is dealt out itself.
const LARGE: usize = if cfg!(miri) { 1 << 11 } else { 4 << 20 };

/// How many tasks there are for each thread, of which some turn out to be longer.
const TASKS: usize = 4;

/// `rows`, sorted by what `digits` gives for each.
///
/// # Errors
/// The fault that memory is out or the run cancelled.
pub fn sort<R: Clone + Send + Sync>(
    cx: &Context,
    rows: &[R],
    digits: impl Fn(&R) -> u64 + Copy + Sync,
) -> Result<Vec<R>, Fault> {
    let mut sorted = with_capacity(cx, rows.len())?;
    sorted.extend_from_slice(rows);
    sort_into(cx, rows, &mut sorted, digits)?;
    Ok(sorted)
}

/// Writes `rows` to `sorted`, of the same length, sorted by what `digits` gives for each.
///
/// # Errors
/// The fault that memory is out or the run cancelled.
pub(super) fn sort_into<R: Clone + Send + Sync>(
    cx: &Context,
    rows: &[R],
    sorted: &mut [R],
    digits: impl Fn(&R) -> u64 + Copy + Sync,
) -> Result<(), Fault> {
    if rows.len() < PIECE {
        sorted.clone_from_slice(rows);
        return sort_buckets(cx, vec![sorted], digits);
    }
    let first = digits(&rows[0]);
    let varying = any_bits(cx, rows, |row| digits(row) ^ first)?;
    let Some(highest) = varying.checked_ilog2() else {
        sorted.clone_from_slice(rows);
        return Ok(());
    };
    let bits = PREFIX.min(highest + 1);
    let shift = highest + 1 - bits;
    let prefix = move |row: &R| (digits(row) >> shift) as usize & ((1 << bits) - 1);
    let mut small = Vec::new();
    for bucket in deal(cx, rows, sorted, 1 << bits, prefix)? {
        if size_of_val(bucket) <= LARGE || bucket.len() < PIECE {
            small.push(bucket);
        } else {
            let mut copy = with_capacity(cx, bucket.len())?;
            copy.extend_from_slice(bucket);
            sort_into(cx, &copy, bucket, digits)?;
            cx.discharge(size_of_val(&copy[..]));
        }
    }
    sort_buckets(cx, small, digits)
}

/// The bits that `bits` gives for any of `rows`.
///
/// # Errors
/// The fault that the run is cancelled.
pub(super) fn any_bits<R: Sync>(
    cx: &Context,
    rows: &[R],
    bits: impl Fn(&R) -> u64 + Sync,
) -> Result<u64, Fault> {
    let mut found: Vec<_> = pieces(cx, rows).map(|piece| (piece, 0)).collect();
    threads::each(cx, found.iter_mut().collect(), &|(piece, found)| {
        for strip in piece.chunks(STRIP) {
            cx.poll()?;
            *found = strip.iter().fold(*found, |found, row| found | bits(row));
        }
        Ok(())
    })?;
    Ok(found.into_iter().fold(0, |all, (_, found)| all | found))
}

/// The parts of `rows` that threads work off.
fn pieces<'r, R>(cx: &Context, rows: &'r [R]) -> impl Iterator<Item = &'r [R]> {
    let pieces = cx.threads().min(rows.len() / PIECE).max(1);
    rows.chunks(rows.len().div_ceil(pieces).clamp(1, LONGEST))
}

/// Writes `rows` to `sorted`, bucket by bucket, in the order of `prefix`, which is less than `values`. Gives the buckets.
fn deal<'s, R: Clone + Send + Sync>(
    cx: &Context,
    rows: &[R],
    sorted: &'s mut [R],
    values: usize,
    prefix: impl Fn(&R) -> usize + Copy + Sync,
) -> Result<Vec<&'s mut [R]>, Fault> {
    let mut pieces: Vec<_> = pieces(cx, rows).map(|piece| (piece, Vec::new())).collect();
    threads::each(cx, pieces.iter_mut().collect(), &|(piece, counts): &mut (_, Vec<u32>)| {
        *counts = with_capacity(cx, values)?;
        counts.resize(values, 0);
        for strip in piece.chunks(STRIP) {
            cx.poll()?;
            strip.iter().for_each(|row| counts[prefix(row)] += 1);
        }
        Ok(())
    })?;
    let count = |value: usize| pieces.iter().map(|(_, counts)| counts[value] as usize).sum();
    let ranges = even(rows.len(), (0..values).map(count));

    let mut bucket_of = vec![0u8; values];
    let mut lens = Vec::with_capacity(ranges.len());
    // There are fewer buckets than a byte has values.
    let mut places: Vec<[IterMut<'_, R>; 1 << u8::BITS]> =
        pieces.iter().map(|_| array::from_fn(|_| [].iter_mut())).collect();
    let mut rest = &mut *sorted;
    for (bucket, range) in ranges.into_iter().enumerate() {
        bucket_of[range.clone()].fill(bucket as u8);
        let before = rest.len();
        for ((_, counts), places) in pieces.iter().zip(&mut places) {
            let len = counts[range.clone()].iter().map(|&count| count as usize).sum();
            let (own, others) = take(&mut rest).split_at_mut(len);
            (places[bucket], rest) = (own.iter_mut(), others);
        }
        lens.push(before - rest.len());
    }
    let dealt = pieces.iter().map(|(piece, _)| *piece).zip(places).collect();
    threads::each(cx, dealt, &|(piece, mut places)| {
        for strip in piece.chunks(STRIP) {
            cx.poll()?;
            for row in strip {
                // A piece has as many places in a bucket as were counted.
                if let Some(place) = places[usize::from(bucket_of[prefix(row)])].next() {
                    *place = row.clone();
                }
            }
        }
        Ok(())
    })?;
    pieces.iter().for_each(|(_, counts)| cx.discharge(size_of_val(&counts[..])));

    let mut rest = sorted;
    let split = |len| {
        let (bucket, others) = take(&mut rest).split_at_mut(len);
        rest = others;
        bucket
    };
    Ok(lens.into_iter().map(split).collect())
}

/// The values in ranges of about as many rows each, at least two and less than 256, of how many rows have each value.
fn even(rows: usize, counts: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let fair = rows / BUCKETS;
    let mut ranges = Vec::new();
    let (mut start, mut values, mut here) = (0, 0, 0);
    for count in counts {
        // Two ranges next to each other have more than a fair share together.
        if here >= fair || here > 0 && here + count > fair + fair / 2 {
            ranges.push(start..values);
            (start, here) = (values, 0);
        }
        here += count;
        values += 1;
    }
    ranges.push(start..values);
    ranges
}

/// Sorts each of the buckets.
fn sort_buckets<R: Clone + Send + Sync>(
    cx: &Context,
    buckets: Vec<&mut [R]>,
    digits: impl Fn(&R) -> u64 + Copy + Sync,
) -> Result<(), Fault> {
    let rows: usize = buckets.iter().map(|bucket| bucket.len()).sum();
    let share = if cx.threads() > 1 { rows / (TASKS * cx.threads()) } else { rows };
    let mut tasks = vec![Vec::new()];
    let mut here = 0;
    for bucket in buckets {
        here += bucket.len();
        tasks.last_mut().expect("there is one from the start").push(bucket);
        if here > share {
            tasks.push(Vec::new());
            here = 0;
        }
    }
    threads::each(cx, tasks, &|buckets: Vec<&mut [R]>| {
        let longest = buckets.iter().max_by_key(|bucket| bucket.len());
        let mut spare = with_capacity(cx, longest.map_or(0, |bucket| bucket.len()))?;
        spare.extend_from_slice(longest.map_or(&[], |bucket| bucket));
        let mut counts = Vec::new();
        for bucket in buckets {
            cx.poll()?;
            bucket::sort(bucket, &mut spare, &mut counts, digits);
        }
        cx.discharge(size_of_val(&spare[..]));
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::options::Options;

    #[test]
    fn rows_are_sorted_stably_on_any_number_of_threads() {
        let count = if cfg!(miri) { 300 } else { 10 * PIECE + 17 };
        // With some far away, the others crowd in one bucket, which is dealt out itself.
        for (spread, far) in [(1, 0), (7, 0), (70_000, 0), (u64::MAX / 3, 0), (70_000, 1 << 60), (1, 1 << 60)]
        {
            let mut state = 1u64;
            let rows: Vec<(u64, usize)> = (0..count)
                .map(|row| {
                    state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                    ((state >> 7) % spread + if row % 97 == 5 { far } else { 0 }, row)
                })
                .collect();
            let mut wanted = rows.clone();
            wanted.sort_by_key(|row| row.0);
            for threads in [1, 2, 3, 5] {
                let cx = Context::new(&Options::new().threads(threads));
                let sorted = sort(&cx, &rows, |row| row.0).unwrap();
                assert!(sorted == wanted, "{spread} {far} {threads}");
            }
        }
    }
}
