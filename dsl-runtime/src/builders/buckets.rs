//! Reductions by keys of scalars: few keys in one open table, many in buckets by hash.
//!
//! As long as there are few keys, each merge looks its key up at once, in slots that hold key and value side by side
//! (`near`). A table that outgrows the caches would make of every merge a miss: from then on merges are kept, and
//! worked off together when there are many, bucket by bucket, each of which fits a cache (`far`). What is
//! merged under one key stays in order, so no result depends on it.

mod bucket;
mod chunk;
mod entries;
mod far;
mod held;
mod join;
mod lookup;
mod many;
mod near;
mod tails;

use std::ptr::NonNull;

use crate::builders::collect;
use crate::context::{Context, STRIP};
use crate::dict::Dict;
use crate::fault::Fault;
use crate::key::Key;

#[doc(hidden)]
pub use far::WRITTEN_AHEAD;
pub use held::{BySegment, Exactly, Held};
pub use many::Many;
#[doc(hidden)]
pub use near::slots_wanted;
pub use tails::{PLACES, Places};

use far::Far;
use near::Near;

/// A reduction by key, of keys and values that are scalars or structs of them.
///
/// `H` says whether the values of different segments may be combined as they come ([`Exactly`]) or not ([`BySegment`]).
/// What is merged before the first [`merge`](Buckets::merge), and what each of those merges, is a segment.
///
/// Every function is told how two values of a key become one, and it must always be the same way: values that were merged
/// may wait for the next call to be combined.
///
/// ```
/// use weldment_runtime::builders::buckets::Buckets;
/// use weldment_runtime::context::Context;
/// let (cx, add) = (Context::ambient(), |sum: &mut i32, more: i32| *sum += more);
/// let mut sums: Buckets<i64, i32> = Buckets::new();
/// for (key, value) in [(7i64, 1), (3, 2), (7, 4)] {
///     sums.add(cx, key, value, add)?;
/// }
/// assert_eq!(sums.into_dict(cx, add)?.to_vec(), [(7, 5), (3, 2)]);
/// # Ok::<(), weldment_runtime::fault::Fault>(())
/// ```
#[derive(Debug)]
pub struct Buckets<K: Copy, V: Copy, H: Copy = Exactly<V>> {
    near: Near<K, V>,
    /// Where everything is, once there are many keys.
    far: Option<Box<Far<K, V, H>>>,
    many: Many,
}

/// The number of keys from which on they are [`far`]. Miri would take an hour for as many.
const MANY: usize = if cfg!(miri) { 100 } else { 1 << 17 };

/// The number of keys from which on a run keeps merges in buckets.
///
/// ```
/// # use weldment_runtime::{builders::buckets::many, context::Context};
/// assert!(many(Context::ambient()) > 1);
/// ```
#[inline]
pub fn many(cx: &Context) -> usize {
    cx.options.testing.many.unwrap_or(MANY)
}

impl<K, V, H> Buckets<K, V, H>
where
    K: Key + Copy + Send + Sync + 'static,
    V: Copy + Send + Sync + 'static,
    H: Held<V>,
{
    /// Nothing yet.
    ///
    /// ```
    /// # use weldment_runtime::builders::buckets::Buckets;
    /// # use weldment_runtime::context::Context;
    /// let none: Buckets<i64, f64> = Buckets::new();
    /// assert!(none.into_dict(Context::ambient(), |_, _| ())?.is_empty());
    /// # Ok::<(), weldment_runtime::fault::Fault>(())
    /// ```
    pub fn new() -> Buckets<K, V, H> {
        Buckets::beside(&Many::default())
    }

    /// Nothing yet, in a loop whose segments share `many`.
    ///
    /// ```
    /// # use weldment_runtime::builders::buckets::{Buckets, Many};
    /// # use weldment_runtime::context::Context;
    /// # let (cx, add) = (Context::ambient(), |sum: &mut i32, more: i32| *sum += more);
    /// let mut sums: Buckets<i64, i32> = Buckets::beside(&Many::default());
    /// sums.add(cx, 7, 1, add)?;
    /// assert_eq!(sums.into_dict(cx, add)?.to_vec(), [(7, 1)]);
    /// # Ok::<(), weldment_runtime::fault::Fault>(())
    /// ```
    pub fn beside(many: &Many) -> Buckets<K, V, H> {
        Buckets { near: Near::default(), far: None, many: many.clone() }
    }

    /// Merges `value` under `key`; the fault MemoryLimit if there is no room for it.
    ///
    /// ```
    /// # use weldment_runtime::builders::buckets::Buckets;
    /// # use weldment_runtime::context::Context;
    /// # let cx = Context::ambient();
    /// let mut largest: Buckets<f64, i32> = Buckets::new();
    /// largest.add(cx, -0.0, 1, |a, b| *a = b.max(*a))?;
    /// largest.add(cx, 0.0, 2, |a, b| *a = b.max(*a))?; // the same key
    /// assert_eq!(largest.into_dict(cx, |a, b| *a = b.max(*a))?.values(), [2]);
    /// # Ok::<(), weldment_runtime::fault::Fault>(())
    /// ```
    #[inline(always)]
    pub fn add(
        &mut self,
        cx: &Context,
        key: K,
        value: V,
        combine: impl Fn(&mut V, V) + Copy,
    ) -> Result<(), Fault> {
        match &mut self.far {
            None => match self.near.find(&key) {
                Ok(found) => {
                    combine(found, value);
                    Ok(())
                }
                Err(place) => self.insert(cx, place, key, value, combine),
            },
            Some(far) => far.add(cx, key, value, combine),
        }
    }

    /// Told that about so many `merges` come, all of which need not; the fault MemoryLimit if there is no room for what makes
    /// them faster.
    ///
    /// ```
    /// # use weldment_runtime::builders::buckets::Buckets;
    /// # use weldment_runtime::context::Context;
    /// # let (cx, add) = (Context::ambient(), |sum: &mut i64, more: i64| *sum += more);
    /// let mut counts: Buckets<i64, i64> = Buckets::new();
    /// for _ in 0..100 {
    ///     counts.expect(cx, 1000)?;
    ///     counts.each(cx, 1000, |i| (i as i64 % 50, 1), add)?;
    /// }
    /// assert_eq!(counts.into_dict(cx, add)?.get(&7), Some(&2000));
    /// # Ok::<(), weldment_runtime::fault::Fault>(())
    /// ```
    pub fn expect(&mut self, cx: &Context, merges: usize) -> Result<(), Fault> {
        match self.far {
            Some(_) => Ok(()),
            None => self.near.expect(cx, merges),
        }
    }

    /// Merges the `n` pairs that `row` gives, in order; the fault MemoryLimit if there is no room for one.
    ///
    /// While no key is new, all that a merge needs is in registers, or in its slot.
    ///
    /// ```
    /// # use weldment_runtime::builders::buckets::Buckets;
    /// # use weldment_runtime::context::Context;
    /// # let (cx, add) = (Context::ambient(), |sum: &mut i64, more: i64| *sum += more);
    /// let mut counts: Buckets<i64, i64> = Buckets::new();
    /// counts.each(cx, 10, |i| (i as i64 % 3, 1), add)?;
    /// assert_eq!(counts.into_dict(cx, add)?.to_vec(), [(0, 4), (1, 3), (2, 3)]);
    /// # Ok::<(), weldment_runtime::fault::Fault>(())
    /// ```
    #[inline(always)]
    pub fn each(
        &mut self,
        cx: &Context,
        n: usize,
        row: impl Fn(usize) -> (K, V),
        combine: impl Fn(&mut V, V) + Copy,
    ) -> Result<(), Fault> {
        let mut done = 0;
        while self.far.is_none() && done < n {
            if let Some((place, key, value)) = self.near.merge_known(n, &mut done, &row, combine) {
                self.insert(cx, place, key, value, combine)?;
                done += 1;
            }
        }
        let Some(far) = &mut self.far else { return Ok(()) };
        (done..n).try_for_each(|i| {
            let (key, value) = row(i);
            far.add(cx, key, value, combine)
        })
    }

    /// Where compiled code appends merges by itself, see [`Places`]; `None` as long as there are few keys. It may do so until
    /// anything else is asked of this.
    #[doc(hidden)]
    pub fn tails(&mut self) -> Option<NonNull<u8>> {
        self.far.as_mut().map(|far| NonNull::from(far.tails()).cast())
    }

    #[cold]
    #[inline(never)]
    fn insert(
        &mut self,
        cx: &Context,
        place: usize,
        key: K,
        value: V,
        combine: impl Fn(&mut V, V) + Copy,
    ) -> Result<(), Fault> {
        if self.near.is_empty() && self.many.met() {
            return self.separate(cx)?.add(cx, key, value, combine);
        }
        self.near.insert(cx, place, key, value, self.many.slots())?;
        if self.near.len() >= many(cx) {
            self.separate(cx)?;
        }
        Ok(())
    }

    /// Moves everything into buckets, unless it is there.
    fn separate(&mut self, cx: &Context) -> Result<&mut Far<K, V, H>, Fault> {
        if self.far.is_none() {
            let far = Far::of(cx, &self.near, &self.many)?;
            let near = std::mem::take(&mut self.near);
            cx.discharge(near.room());
            self.far = Some(Box::new(far));
            self.many.meet();
        }
        Ok(self.far.as_mut().expect("it was just made"))
    }

    /// Merges the values of the segment that comes next.
    ///
    /// ```
    /// # use weldment_runtime::builders::buckets::Buckets;
    /// # use weldment_runtime::context::Context;
    /// # let (cx, add) = (Context::ambient(), |sum: &mut i32, more: i32| *sum += more);
    /// let mut total: Buckets<i64, i32> = Buckets::new();
    /// let mut next = Buckets::new();
    /// total.add(cx, 7, 1, add)?;
    /// next.add(cx, 3, 2, add)?;
    /// next.add(cx, 7, 4, add)?;
    /// total.merge(cx, next, add)?;
    /// assert_eq!(total.into_dict(cx, add)?.to_vec(), [(7, 5), (3, 2)]);
    /// # Ok::<(), weldment_runtime::fault::Fault>(())
    /// ```
    pub fn merge(
        &mut self,
        cx: &Context,
        mut next: Buckets<K, V, H>,
        combine: impl Fn(&mut V, V) + Copy + Sync,
    ) -> Result<(), Fault> {
        next.many.had(next.near.slots());
        if self.near.is_empty() && self.far.is_none() {
            *self = next;
            return Ok(());
        }
        if next.far.is_some() {
            self.separate(cx)?;
        }
        if let Some(far) = &mut self.far {
            far.begin_segment();
            if let Some(next) = next.far.take() {
                return far.merge(cx, *next, combine);
            }
        }
        for (i, slot) in next.near.in_order().enumerate() {
            if i % STRIP == STRIP - 1 {
                cx.poll()?;
            }
            self.add(cx, slot.key, slot.value, combine)?;
        }
        cx.discharge(next.near.room());
        Ok(())
    }

    /// The dictionary of the keys, in order of first insertion.
    ///
    /// ```
    /// # use weldment_runtime::builders::buckets::Buckets;
    /// # use weldment_runtime::context::Context;
    /// # let (cx, add) = (Context::ambient(), |sum: &mut i64, more: i64| *sum += more);
    /// let mut counts: Buckets<i64, i64> = Buckets::new();
    /// for i in 0..1000i64 {
    ///     counts.add(cx, i * i % 10, 1, add)?;
    /// }
    /// assert_eq!(counts.into_dict(cx, add)?.keys(), [0, 1, 4, 9, 6, 5]);
    /// # Ok::<(), weldment_runtime::fault::Fault>(())
    /// ```
    pub fn into_dict(
        self,
        cx: &Context,
        combine: impl Fn(&mut V, V) + Copy + Sync,
    ) -> Result<Dict<K, V>, Fault> {
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        match self.far {
            None => {
                collect::reserve(cx, &mut keys, self.near.len())?;
                collect::reserve(cx, &mut values, self.near.len())?;
                for slot in self.near.in_order() {
                    keys.push(slot.key);
                    values.push(slot.value);
                }
                cx.discharge(self.near.room());
            }
            Some(far) => (keys, values) = far.into_columns(cx, combine)?,
        }
        Dict::from_columns_counted(cx, keys, values)
    }
}

impl<K, V, H> Default for Buckets<K, V, H>
where
    K: Key + Copy + Send + Sync + 'static,
    V: Copy + Send + Sync + 'static,
    H: Held<V>,
{
    fn default() -> Buckets<K, V, H> {
        Buckets::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builders::table::Table;
    use crate::options::{Options, Testing};

    /// Neither associative nor commutative: it shows what is combined in which order.
    fn hash(a: &mut u64, b: u64) {
        *a = a.wrapping_mul(31).rotate_left(7) ^ b;
    }

    /// The product of two matrices, which does not commute.
    fn multiply(a: &mut [u32; 4], b: [u32; 4]) {
        let [x, y, z, w] = *a;
        let dot = |a: [u32; 2], b: [u32; 2]| a[0].wrapping_mul(b[0]).wrapping_add(a[1].wrapping_mul(b[1]));
        let (left, right) = ([b[0], b[2]], [b[1], b[3]]);
        *a = [dot([x, y], left), dot([x, y], right), dot([z, w], left), dot([z, w], right)];
    }

    /// Keys in no order, about `distinct` of them.
    fn keys(merges: usize, distinct: u64) -> impl Iterator<Item = i64> {
        let mut state = 1u64;
        (0..merges).map(move |_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) % distinct) as i64 - 5
        })
    }

    /// Merges by one table for each segment are the oracle.
    fn check_held<V, H>(
        [merges, distinct, segment]: [usize; 3],
        cx: &Context,
        value: impl Fn(usize) -> V,
        combine: impl Fn(&mut V, V) + Copy + Sync,
    ) where
        V: Copy + PartialEq + std::fmt::Debug + Send + Sync + 'static,
        H: Held<V>,
    {
        let many = Many::default();
        let (mut table, mut parts) = (Table::new(None), Table::new(None));
        let mut total: Buckets<i64, V, H> = Buckets::new();
        let mut part = Buckets::beside(&many);
        let fold = |entry: &mut Option<V>, more: Option<V>| {
            match (entry.as_mut(), more) {
                (Some(value), Some(more)) => combine(value, more),
                (_, more) => *entry = more,
            }
            Ok(())
        };
        for (i, key) in keys(merges, distinct as u64).enumerate() {
            if i > 0 && i % segment == 0 {
                total.merge(cx, std::mem::replace(&mut part, Buckets::beside(&many)), combine).unwrap();
                table.merge(cx, std::mem::replace(&mut parts, Table::new(None)), fold).unwrap();
            }
            part.add(cx, key, value(i), combine).unwrap();
            fold(parts.entry(cx, &key).unwrap(), Some(value(i))).unwrap();
        }
        total.merge(cx, part, combine).unwrap();
        table.merge(cx, parts, fold).unwrap();
        let (dict, expected) = (total.into_dict(cx, combine).unwrap(), table.into_dict());
        assert_eq!(dict.keys(), expected.keys());
        assert!(dict.values().iter().map(Some).eq(expected.values().iter().map(Option::as_ref)));
        assert!(dict.keys().iter().all(|key| dict.get(key) == expected[key].as_ref()));
        assert_eq!(dict.get(&-6), None);
    }

    /// What makes keys many here.
    const FEW: usize = 100;

    fn check(merges: usize, distinct: usize, segment: usize) {
        let testing = Testing { many: Some(FEW), ..Testing::default() };
        for threads in [1, 3] {
            let cx = Context::new(&Options::new().memory_limit(1 << 40).threads(threads).testing(testing));
            let numbers = [merges, distinct, segment];
            check_held::<_, BySegment<_>>(numbers, &cx, |i| i as u64, hash);
            check_held::<_, Exactly<_>>(numbers, &cx, |i| [1, i as u32, 2, 3], multiply);
        }
    }

    #[test]
    fn few_keys_and_many_come_to_what_a_table_does() {
        check(1000, 10, 1000);
        check(3 * FEW, FEW / 4, FEW);
        check(if cfg!(miri) { 10 } else { 300 } * FEW, 2 * FEW, 400 * FEW);
    }

    #[test]
    fn segments_of_few_and_of_many_keys_are_joined() {
        check(3 * FEW, 3 * FEW, FEW / 3);
        check(60 * FEW, 60 * FEW, 2 * FEW);
        check(if cfg!(miri) { 20 } else { 200 } * FEW, FEW + FEW / 8, 3 * FEW);
    }

    #[test]
    fn all_keys_may_come_before_most_merges() {
        let cx = Context::ambient();
        let add = |sum: &mut u64, more: u64| *sum += more;
        let mut sums: Buckets<(f64, bool), u64> = Buckets::new();
        let keys = 2 * MANY;
        for round in 0..8 {
            for key in 0..keys {
                sums.add(cx, (key as f64, round == 9), 1, add).unwrap();
            }
        }
        let dict = sums.into_dict(cx, add).unwrap();
        assert_eq!(dict.len(), keys);
        assert!(dict.iter().enumerate().all(|(i, (key, sum))| key.0 == i as f64 && *sum == 8));
    }

    #[test]
    fn what_does_not_fit_the_memory_limit_is_a_fault() {
        let cx = Context::new(&Options::new().memory_limit(40 * MANY as u64));
        let mut sums: Buckets<i64, i32> = Buckets::new();
        let mut keys = 0..4 * MANY as i64;
        let fault = keys.find_map(|key| sums.add(&cx, key, 1, |sum, more| *sum += more).err());
        assert_eq!(fault.unwrap().kind, crate::fault::FaultKind::MemoryLimit);
    }

    #[test]
    fn what_was_counted_is_given_back() {
        for keys in [10, 2 * MANY as i64] {
            let room = 16 * keys as usize + crate::builders::index::Index::room_for::<i64>(keys as usize);
            let limit = 1 << 40;
            let cx = Context::new(&Options::new().memory_limit(limit));
            let mut sums: Buckets<i64, i64> = Buckets::new();
            (0..keys).for_each(|key| sums.add(&cx, key, 1, |sum, more| *sum += more).unwrap());
            sums.into_dict(&cx, |sum: &mut i64, more| *sum += more).unwrap();
            assert!(cx.charge(limit as usize - room).is_ok() && cx.charge(1).is_err());
        }
    }
}
