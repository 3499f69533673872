//! Buckets become columns of keys and values, in order of first insertion.

use std::ops::Range;

use crate::builders::places::{Exact, Part};
use crate::context::Context;
use crate::fault::Fault;
use crate::pool;

use super::bucket::{Bucket, Entry};
use super::held::Held;

/// Merges are joined so many at a time: their places fit a cache.
const JOINED: usize = if cfg!(miri) { 1 << 6 } else { 1 << 15 };

/// Parts for each thread, to even them out.
const PARTS_PER_THREAD: usize = 8;

/// Some of the columns: where they begin, from which merges on, and what is not filled yet.
struct Stretch<'p, K, V> {
    merges: Range<usize>,
    keys: Part<'p, K>,
    values: Part<'p, V>,
}

/// The keys of the buckets, from which nothing waits, and their values; there were so many `merges`.
pub(super) fn join<K: Clone + Send + Sync, V: Clone + Send + Sync, H: Held<V> + Sync>(
    cx: &Context,
    buckets: Vec<Bucket<K, V, H>>,
    merges: usize,
    combine: impl Fn(&mut V, V) + Copy + Sync,
) -> Result<(Vec<K>, Vec<V>), Fault> {
    let before = |merge: usize| -> usize {
        buckets.iter().map(|bucket| bucket.entries.partition_point(|entry| entry.first < merge)).sum()
    };
    let len = before(merges);
    let (keys, values) = (Exact::new(cx, len as i64)?, Exact::new(cx, len as i64)?);
    let windows = merges.div_ceil(JOINED);
    let parts = match cx.threads() {
        1 => 1,
        threads => windows.min(PARTS_PER_THREAD * threads),
    };
    let ends: Vec<usize> =
        (0..=parts).map(|part| merges.min(windows * part / parts.max(1) * JOINED)).collect();
    let places: Vec<usize> = ends.iter().map(|&end| before(end)).collect();
    let stretches = (0..parts).map(|part| {
        let range = places[part]..places[part + 1];
        let (keys, values) = (keys.part(range.clone()), values.part(range));
        Stretch { merges: ends[part]..ends[part + 1], keys, values }
    });
    pool::each(cx, stretches.collect(), &|stretch| fill(cx, &buckets, stretch, combine))?;
    cx.discharge(buckets.iter().map(Bucket::room).sum());
    Ok((keys.finish(), values.finish()))
}

fn fill<K: Clone, V: Clone, H: Held<V>>(
    cx: &Context,
    buckets: &[Bucket<K, V, H>],
    stretch: Stretch<'_, K, V>,
    combine: impl Fn(&mut V, V) + Copy,
) -> Result<(), Fault> {
    let Stretch { merges, mut keys, mut values } = stretch;
    let mut rests: Vec<&[Entry<K, H>]> = Vec::with_capacity(buckets.len());
    for bucket in buckets {
        let start = bucket.entries.partition_point(|entry| entry.first < merges.start);
        rests.push(&bucket.entries[start..]);
    }
    // The keys that were first merged in the window, and the one of each place of it.
    let (mut found, mut places) = (Vec::new(), vec![0u32; JOINED]);
    {
        let (mut keys, mut values) = (keys.cursor(), values.cursor());
        for start in merges.clone().step_by(JOINED) {
            cx.poll()?;
            let end = merges.end.min(start + JOINED);
            for rest in &mut rests {
                let here = rest.iter().take_while(|entry| entry.first < end).count();
                let (now, later) = rest.split_at(here);
                for entry in now {
                    found.push(entry);
                    places[entry.first - start] = found.len() as u32;
                }
                *rest = later;
            }
            if !found.is_empty() {
                for place in places.iter_mut().filter(|place| **place != 0) {
                    let entry = found[std::mem::take(place) as usize - 1];
                    keys.push(entry.key.clone());
                    values.push(entry.held.clone().total(combine));
                }
                found.clear();
            }
        }
    }
    keys.done();
    values.done();
    Ok(())
}
