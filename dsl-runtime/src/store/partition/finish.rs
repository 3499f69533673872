//! Buckets become columns of keys and values, in order of first insertion.

use std::ops::Range;

use crate::exec::context::Context;
use crate::exec::threads;
use crate::lang::fault::Fault;
use crate::store::combine::Combine;
use crate::store::vector::exact::{Exact, Part};

use super::bucket::Bucket;
use super::partial::Partial;

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
pub(crate) fn join<K: Copy + Send + Sync, V: Copy + Send + Sync, H: Partial<V>>(
    cx: &Context,
    buckets: Vec<Bucket<K, V, H>>,
    merges: usize,
    combine: impl Combine<V>,
) -> Result<(Vec<K>, Vec<V>), Fault> {
    let len = keys_before(&buckets, merges);
    let (keys, values) = (Exact::new(cx, len as i64)?, Exact::new(cx, len as i64)?);
    let windows = merges.div_ceil(JOINED);
    let parts = match cx.threads() {
        1 => 1,
        threads => windows.min(PARTS_PER_THREAD * threads),
    };
    let mut stretches = Vec::with_capacity(parts);
    let (mut start, mut place) = (0, 0);
    for part in 1..=parts {
        let end = merges.min(windows * part / parts * JOINED);
        let places = place..keys_before(&buckets, end);
        place = places.end;
        let (keys, values) = (keys.part(places.clone()), values.part(places));
        stretches.push(Stretch { merges: start..end, keys, values });
        start = end;
    }
    threads::each(cx, stretches, &|stretch| fill(cx, &buckets, stretch, combine))?;
    Ok((keys.finish(), values.finish()))
}

/// How many keys were first merged before `merge`.
fn keys_before<K: Copy, V: Copy, H: Copy>(buckets: &[Bucket<K, V, H>], merge: usize) -> usize {
    let mut keys = 0;
    for bucket in buckets {
        keys += bucket.entries.before(merge);
    }
    keys
}

fn fill<K: Copy, V: Copy, H: Partial<V>>(
    cx: &Context,
    buckets: &[Bucket<K, V, H>],
    stretch: Stretch<'_, K, V>,
    combine: impl Combine<V>,
) -> Result<(), Fault> {
    let Stretch { merges, mut keys, mut values } = stretch;
    let mut rests = Vec::with_capacity(buckets.len());
    for bucket in buckets {
        rests.push(bucket.entries.from(merges.start));
    }
    // The keys that were first merged in the window; the one of each place of it, and a bit where there is one, so that no
    // branch depends on whether there is.
    let (mut found, mut places, mut taken) = (Vec::new(), vec![0u32; JOINED], vec![0u64; JOINED / 64]);
    {
        let (mut keys, mut values) = (keys.cursor(), values.cursor());
        for start in merges.clone().step_by(JOINED) {
            cx.poll()?;
            let end = merges.end.min(start + JOINED);
            for rest in &mut rests {
                rest.take_before(end, |kept| {
                    let place = kept.first - start;
                    places[place] = found.len() as u32;
                    taken[place / 64] |= 1 << (place % 64);
                    found.push(kept);
                });
            }
            for (places, taken) in places.chunks_exact(64).zip(&mut taken) {
                while *taken != 0 {
                    let kept = found[places[taken.trailing_zeros() as usize] as usize];
                    keys.push(kept.key);
                    values.push({ kept.held }.total(combine));
                    *taken &= *taken - 1;
                }
            }
            found.clear();
        }
    }
    keys.done();
    values.done();
    Ok(())
}
