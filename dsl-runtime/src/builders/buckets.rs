//! Reductions by keys of scalars: few keys in one open table, many in buckets by hash.
//!
//! As long as there are few keys, each merge looks its key up at once, in slots that hold key and value side by side
//! (`near`). A table that outgrows the caches would make of every merge a miss: from then on merges are kept, and
//! worked off together when there are many, bucket by bucket, each of which fits a cache (`far`). What is
//! merged under one key stays in order, so no result depends on it.

mod far;
mod near;

use crate::builders::collect;
use crate::context::{Context, STRIP};
use crate::dict::Dict;
use crate::fault::Fault;
use crate::key::Key;

use far::Far;
use near::Near;

/// A reduction by key, of keys and values that are scalars or structs of them.
///
/// Every function is told how two values of a key become one, and it must always be the same way: values that were merged
/// may wait for the next call to be combined.
///
/// ```
/// use weldment_runtime::builders::buckets::Buckets;
/// use weldment_runtime::context::Context;
/// let (cx, add) = (Context::ambient(), |sum: &mut i32, more: i32| *sum += more);
/// let mut sums = Buckets::new();
/// for (key, value) in [(7i64, 1), (3, 2), (7, 4)] {
///     sums.add(cx, key, value, add)?;
/// }
/// assert_eq!(sums.into_dict(cx, add)?.to_vec(), [(7, 5), (3, 2)]);
/// # Ok::<(), weldment_runtime::fault::Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Buckets<K, V> {
    near: Near<K, V>,
    /// Where everything is, once there are many keys.
    far: Option<Box<Far<K, V>>>,
}

/// The number of keys from which on they are [`far`]. Miri would take an hour for as many.
const MANY: usize = if cfg!(miri) { 100 } else { 1 << 17 };

impl<K: Key + Clone, V: Clone> Buckets<K, V> {
    /// Nothing yet.
    ///
    /// ```
    /// # use weldment_runtime::builders::buckets::Buckets;
    /// # use weldment_runtime::context::Context;
    /// let none = Buckets::<i64, f64>::new();
    /// assert!(none.into_dict(Context::ambient(), |_, _| ())?.is_empty());
    /// # Ok::<(), weldment_runtime::fault::Fault>(())
    /// ```
    pub fn new() -> Buckets<K, V> {
        Buckets { near: Near::default(), far: None }
    }

    /// Merges `value` under `key`; the fault MemoryLimit if there is no room for it.
    ///
    /// ```
    /// # use weldment_runtime::builders::buckets::Buckets;
    /// # use weldment_runtime::context::Context;
    /// # let cx = Context::ambient();
    /// let mut largest = Buckets::new();
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
                Err(place) => self.insert(cx, place, key, value),
            },
            Some(far) => far.add(cx, key, value, combine),
        }
    }

    #[cold]
    #[inline(never)]
    fn insert(&mut self, cx: &Context, place: usize, key: K, value: V) -> Result<(), Fault> {
        self.near.insert(cx, place, key, value)?;
        if self.near.len() == MANY {
            self.separate(cx)?;
        }
        Ok(())
    }

    /// Moves everything into buckets, unless it is there.
    fn separate(&mut self, cx: &Context) -> Result<&mut Far<K, V>, Fault> {
        if self.far.is_none() {
            let far = Far::new(cx, &self.near)?;
            let near = std::mem::take(&mut self.near);
            cx.discharge(near.room());
            self.far = Some(Box::new(far));
        }
        Ok(self.far.as_mut().expect("it was just made"))
    }

    /// Merges the values of the segment that comes next.
    ///
    /// ```
    /// # use weldment_runtime::builders::buckets::Buckets;
    /// # use weldment_runtime::context::Context;
    /// # let (cx, add) = (Context::ambient(), |sum: &mut i32, more: i32| *sum += more);
    /// let (mut total, mut next) = (Buckets::new(), Buckets::new());
    /// total.add(cx, 7i64, 1, add)?;
    /// next.add(cx, 3, 2, add)?;
    /// next.add(cx, 7, 4, add)?;
    /// total.merge(cx, next, add)?;
    /// assert_eq!(total.into_dict(cx, add)?.to_vec(), [(7, 5), (3, 2)]);
    /// # Ok::<(), weldment_runtime::fault::Fault>(())
    /// ```
    pub fn merge(
        &mut self,
        cx: &Context,
        mut next: Buckets<K, V>,
        combine: impl Fn(&mut V, V) + Copy,
    ) -> Result<(), Fault> {
        if self.near.is_empty() && self.far.is_none() {
            *self = next;
            return Ok(());
        }
        if let Some(next) = next.far.take() {
            return self.separate(cx)?.merge(cx, *next, combine);
        }
        for (i, slot) in next.near.in_order().into_iter().enumerate() {
            if i % STRIP == STRIP - 1 {
                cx.poll()?;
            }
            self.add(cx, slot.key.clone(), slot.value.clone(), combine)?;
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
    /// let mut counts = Buckets::new();
    /// for i in 0..1000i64 {
    ///     counts.add(cx, i * i % 10, 1, add)?;
    /// }
    /// assert_eq!(counts.into_dict(cx, add)?.keys(), [0, 1, 4, 9, 6, 5]);
    /// # Ok::<(), weldment_runtime::fault::Fault>(())
    /// ```
    pub fn into_dict(self, cx: &Context, combine: impl Fn(&mut V, V) + Copy) -> Result<Dict<K, V>, Fault> {
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        match self.far {
            None => {
                collect::reserve(cx, &mut keys, self.near.len())?;
                collect::reserve(cx, &mut values, self.near.len())?;
                for slot in self.near.in_order() {
                    keys.push(slot.key.clone());
                    values.push(slot.value.clone());
                }
                cx.discharge(self.near.room());
            }
            Some(far) => (keys, values) = far.into_columns(cx, combine)?,
        }
        Dict::from_columns_counted(cx, keys, values)
    }
}

impl<K: Key + Clone, V: Clone> Default for Buckets<K, V> {
    fn default() -> Buckets<K, V> {
        Buckets::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builders::table::Table;
    use crate::options::Options;

    /// Concatenation does not commute: it shows in which order values are combined.
    fn append(text: &mut Vec<u32>, more: Vec<u32>) {
        text.extend(more);
    }

    /// Keys in no order, about `distinct` of them.
    fn keys(merges: usize, distinct: u64) -> impl Iterator<Item = i64> {
        let mut state = 1u64;
        (0..merges).map(move |_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) % distinct) as i64 - 5
        })
    }

    fn check(merges: usize, distinct: u64, segment: usize) {
        let cx = Context::new(&Options::new().memory_limit(1 << 40));
        let cx = &cx;
        let mut table = Table::new(Vec::new());
        let mut total = Buckets::new();
        let mut part = Buckets::new();
        for (i, key) in keys(merges, distinct).enumerate() {
            if i % segment == 0 {
                total.merge(cx, std::mem::take(&mut part), append).unwrap();
            }
            part.add(cx, key, vec![i as u32], append).unwrap();
            table.entry(cx, &key).unwrap().push(i as u32);
        }
        total.merge(cx, part, append).unwrap();
        let (dict, expected) = (total.into_dict(cx, append).unwrap(), table.into_dict());
        assert_eq!((dict.keys(), dict.values()), (expected.keys(), expected.values()));
        assert!(dict.keys().iter().all(|key| dict.get(key) == expected.get(key)));
        assert_eq!(dict.get(&-6), None);
    }

    #[test]
    fn few_keys_and_many_come_to_what_a_table_does() {
        let many = MANY as u64;
        check(1000, 10, 1000);
        check(3 * MANY, many / 4, MANY);
        check(3 * MANY, 2 * many, 4 * MANY);
    }

    #[test]
    fn segments_of_few_and_of_many_keys_are_joined() {
        let many = MANY as u64;
        check(3 * MANY, 3 * many, MANY / 3);
        check(6 * MANY, 6 * many, 2 * MANY);
    }

    #[test]
    fn all_keys_may_come_before_most_merges() {
        let cx = Context::ambient();
        let add = |sum: &mut u64, more: u64| *sum += more;
        let mut sums = Buckets::new();
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
        let mut sums = Buckets::new();
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
            let mut sums = Buckets::new();
            (0..keys).for_each(|key| sums.add(&cx, key, 1, |sum, more| *sum += more).unwrap());
            sums.into_dict(&cx, |sum: &mut i64, more| *sum += more).unwrap();
            assert!(cx.charge(limit as usize - room).is_ok() && cx.charge(1).is_err());
        }
    }
}
