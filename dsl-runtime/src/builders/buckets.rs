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
pub use near::{WORTH_KEEPING, slots_wanted};
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

/// Tables that segments are done with, and that later ones begin with.
struct Kept<K, V>(Vec<Near<K, V>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Kept<K, V> {
        Kept(Vec::new())
    }
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
        let kept = many.with(|kept: &mut Kept<K, V>| kept.0.pop());
        Buckets { near: kept.unwrap_or_default(), far: None, many: many.clone() }
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
    ///     counts.each(cx, 0..1000, |i| (i % 50, 1), add)?;
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

    /// Merges the pairs that `pair` makes of `rows`, in order; the fault MemoryLimit if there is no room for one.
    ///
    /// While no key is new, all that a merge needs is in registers, or in its slot.
    ///
    /// ```
    /// # use weldment_runtime::builders::buckets::Buckets;
    /// # use weldment_runtime::context::Context;
    /// # let (cx, add) = (Context::ambient(), |sum: &mut i64, more: i64| *sum += more);
    /// let mut counts: Buckets<i64, i64> = Buckets::new();
    /// counts.each(cx, 0..10, |i| (i % 3, 1), add)?;
    /// assert_eq!(counts.into_dict(cx, add)?.to_vec(), [(0, 4), (1, 3), (2, 3)]);
    /// # Ok::<(), weldment_runtime::fault::Fault>(())
    /// ```
    #[inline(always)]
    pub fn each<R>(
        &mut self,
        cx: &Context,
        rows: impl IntoIterator<Item = R>,
        pair: impl Fn(R) -> (K, V),
        combine: impl Fn(&mut V, V) + Copy,
    ) -> Result<(), Fault> {
        let mut rows = rows.into_iter().map(pair);
        while self.far.is_none() {
            let Some((place, key, value)) = self.near.merge_known(&mut rows, combine) else { return Ok(()) };
            self.insert(cx, place, key, value, combine)?;
        }
        let Some(far) = &mut self.far else { return Ok(()) };
        rows.try_for_each(|(key, value)| far.add(cx, key, value, combine))
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
        next: Buckets<K, V, H>,
        combine: impl Fn(&mut V, V) + Copy + Sync,
    ) -> Result<(), Fault> {
        if let Some(near) = self.absorb(cx, next, combine)? {
            cx.discharge(near.room());
        }
        Ok(())
    }

    /// As [`merge`](Buckets::merge), and later segments [beside](Buckets::beside) the same [`Many`] may begin with the keys of this one
    /// and with `neutral` values, where that takes less than to insert the keys again. To combine with a neutral value, on either side,
    /// is to leave the other one as it is, bit for bit.
    ///
    /// ```
    /// # use weldment_runtime::builders::buckets::{Buckets, BySegment, Many};
    /// # use weldment_runtime::context::Context;
    /// # let (cx, add, many) = (Context::ambient(), |sum: &mut f64, more: f64| *sum += more, Many::default());
    /// let mut total: Buckets<i64, f64, BySegment<f64>> = Buckets::new();
    /// for segment in 0..3 {
    ///     let mut next = Buckets::beside(&many);
    ///     next.expect(cx, 1000)?;
    ///     next.each(cx, 0..1000, |i| (i % 3 + segment % 2, 0.5), add)?;
    ///     total.merge_segment(cx, next, -0.0, add)?;
    /// }
    /// assert_eq!(total.into_dict(cx, add)?.to_vec(), [(0, 334.0), (1, 500.0), (2, 499.5), (3, 166.5)]);
    /// # Ok::<(), weldment_runtime::fault::Fault>(())
    /// ```
    pub fn merge_segment(
        &mut self,
        cx: &Context,
        next: Buckets<K, V, H>,
        neutral: V,
        combine: impl Fn(&mut V, V) + Copy + Sync,
    ) -> Result<(), Fault> {
        let many = next.many.clone();
        let Some(mut near) = self.absorb(cx, next, combine)? else { return Ok(()) };
        // Its keys are here now, before any that a later segment inserts.
        if self.far.is_none() && near.is_worth_keeping() {
            near.begin_again(neutral);
            many.with(|kept: &mut Kept<K, V>| kept.0.push(near));
        } else {
            cx.discharge(near.room());
        }
        Ok(())
    }

    /// Merges the next segment. Gives its table, if it had one of few keys that is not this one now.
    fn absorb(
        &mut self,
        cx: &Context,
        mut next: Buckets<K, V, H>,
        combine: impl Fn(&mut V, V) + Copy + Sync,
    ) -> Result<Option<Near<K, V>>, Fault> {
        next.many.had(next.near.slots());
        if self.near.is_empty() && self.far.is_none() {
            *self = next;
            return Ok(None);
        }
        if next.far.is_some() {
            self.separate(cx)?;
        }
        if let Some(far) = &mut self.far {
            far.begin_segment();
            if let Some(next) = next.far.take() {
                return far.merge(cx, *next, combine).map(|()| None);
            }
        }
        for (i, slot) in next.near.in_order().enumerate() {
            if i % STRIP == STRIP - 1 {
                cx.poll()?;
            }
            self.add(cx, slot.key, slot.value, combine)?;
        }
        Ok(Some(next.near))
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
        let kept = self.many.with(|kept: &mut Kept<K, V>| std::mem::take(&mut kept.0));
        kept.iter().for_each(|near| cx.discharge(near.room()));
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
mod tests;
