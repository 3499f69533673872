//! Buckets become columns of keys and values, in order of first insertion.

use std::ops::Range;

use crate::builders::places::{Exact, Part};
use crate::context::Context;
use crate::cpu;
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
pub(super) fn join<K: Copy + Send + Sync, V: Copy + Send + Sync, H: Held<V>>(
    cx: &Context,
    buckets: Vec<Bucket<K, V, H>>,
    merges: usize,
    combine: impl Fn(&mut V, V) + Copy + Sync,
) -> Result<(Vec<K>, Vec<V>), Fault> {
    let before = |merge: usize| -> usize {
        buckets.iter().map(|bucket| bucket.firsts.values().partition_point(|first| *first < merge)).sum()
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
    Ok((keys.finish(), values.finish()))
}

/// The entries of a bucket that were not joined yet, and where each was first merged.
struct Rest<'b, K, H> {
    entries: &'b [Entry<K, H>],
    firsts: &'b [usize],
}

impl<'b, K, H> Rest<'b, K, H> {
    /// Those that were first merged before `end`, which are no rest any more.
    #[inline(always)]
    fn before(&mut self, end: usize) -> impl Iterator<Item = (&'b Entry<K, H>, usize)> + use<'b, K, H> {
        let here = self.firsts.iter().take_while(|first| **first < end).count();
        let (entries, firsts);
        (entries, self.entries) = self.entries.split_at(here);
        (firsts, self.firsts) = self.firsts.split_at(here);
        // As many may come in the next window, and by then they would not be in the cache.
        cpu::ask_all(&self.firsts[..here.min(self.firsts.len())]);
        cpu::ask_all(&self.entries[..here.min(self.entries.len())]);
        entries.iter().zip(firsts.iter().copied())
    }
}

fn fill<K: Copy, V: Copy, H: Held<V>>(
    cx: &Context,
    buckets: &[Bucket<K, V, H>],
    stretch: Stretch<'_, K, V>,
    combine: impl Fn(&mut V, V) + Copy,
) -> Result<(), Fault> {
    let Stretch { merges, mut keys, mut values } = stretch;
    let mut rests: Vec<Rest<'_, K, H>> = Vec::with_capacity(buckets.len());
    for bucket in buckets {
        let (entries, firsts) = (bucket.entries.values(), bucket.firsts.values());
        let start = firsts.partition_point(|first| *first < merges.start);
        rests.push(Rest { entries: &entries[start..], firsts: &firsts[start..] });
    }
    // The keys that were first merged in the window, and the one of each place of it.
    let (mut found, mut places) = (Vec::new(), vec![0u32; JOINED]);
    {
        let (mut keys, mut values) = (keys.cursor(), values.cursor());
        for start in merges.clone().step_by(JOINED) {
            cx.poll()?;
            let end = merges.end.min(start + JOINED);
            for (entry, first) in rests.iter_mut().flat_map(|rest| rest.before(end)) {
                found.push(entry);
                places[first - start] = found.len() as u32;
            }
            if !found.is_empty() {
                for place in places.iter_mut().filter(|place| **place != 0) {
                    let entry = found[std::mem::take(place) as usize - 1];
                    keys.push(entry.key);
                    values.push(entry.held.total(combine));
                }
                found.clear();
            }
        }
    }
    keys.done();
    values.done();
    Ok(())
}
