//! Buckets become columns of keys and values, in order of first insertion.

use std::ops::Range;

use crate::exec::context::Context;
use crate::exec::threads;
use crate::lang::fault::Fault;

use super::bucket::Bucket;
use super::columns::Columns;
use super::table_type::TableType;

/// Merges are joined so many at a time: their places fit a cache.
const JOINED: usize = if cfg!(miri) { 1 << 6 } else { 1 << 15 };

/// Parts for each thread, to even them out.
const PARTS_PER_THREAD: usize = 8;

/// Some of the columns: the merges in which their keys were first merged, and their places.
struct Stretch {
    merges: Range<usize>,
    places: Range<usize>,
}

/// Writes the keys of the buckets, from which nothing waits, and their values; there were so many `merges`.
pub(crate) fn join(
    cx: &Context,
    buckets: &[Bucket],
    merges: usize,
    types: &dyn TableType,
    columns: &Columns,
) -> Result<(), Fault> {
    let windows = merges.div_ceil(JOINED);
    let parts = match cx.threads() {
        1 => 1,
        threads => windows.min(PARTS_PER_THREAD * threads),
    };
    let mut stretches = Vec::with_capacity(parts);
    let (mut start, mut place) = (0, 0);
    for part in 1..=parts {
        let end = merges.min(windows * part / parts * JOINED);
        let last = buckets.iter().map(|bucket| bucket.entries.before(end)).sum();
        stretches.push(Stretch { merges: start..end, places: place..last });
        (start, place) = (end, last);
    }
    threads::each(cx, stretches, &|stretch| fill(cx, buckets, stretch, types, columns))
}

fn fill(
    cx: &Context,
    buckets: &[Bucket],
    stretch: Stretch,
    types: &dyn TableType,
    columns: &Columns,
) -> Result<(), Fault> {
    let Stretch { merges, places: all } = stretch;
    let mut rests: Vec<_> = buckets.iter().map(|bucket| bucket.entries.from(merges.start)).collect();
    // The keys that were first merged in the window; the one of each place of it, and a bit where there is one, so that no
    // branch depends on whether there is.
    let (mut found, mut places, mut taken) = (Vec::new(), vec![0u32; JOINED], vec![0u64; JOINED / 64]);
    let (mut ordered, mut place) = (Vec::with_capacity(64), all.start);
    for start in merges.clone().step_by(JOINED) {
        cx.poll()?;
        let end = merges.end.min(start + JOINED);
        for rest in &mut rests {
            rest.take_before(end, |first, entry| {
                let at = first - start;
                places[at] = found.len() as u32;
                taken[at / 64] |= 1 << (at % 64);
                found.push(entry);
            });
        }
        for (places, taken) in places.chunks_exact(64).zip(&mut taken) {
            while *taken != 0 {
                ordered.push(found[places[taken.trailing_zeros() as usize] as usize]);
                *taken &= *taken - 1;
            }
            types.total(&ordered, place, columns);
            place += ordered.len();
            ordered.clear();
        }
        found.clear();
    }
    assert_eq!(place, all.end, "a stretch has the entries that were counted");
    columns.wrote(all.len());
    Ok(())
}
