//! Dictionaries, as programs take and give them: in order of first insertion.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Index as Subscript;
use std::sync::OnceLock;

use crate::exec::context::Context;
use crate::exec::cpu;
use crate::key::hash::Key;
use crate::key::parts::Parts;
use crate::lang::fault::Fault;
use crate::mem::heap::{Heap, elsewhere};
use crate::mem::vec::room;
use crate::store::table::index::Index;
use crate::store::vector::growable;

/// A dictionary whose pairs keep the order in which their keys were first inserted.
///
/// Keys are numbers, bools, tuples and vectors of them, and compare as the language's keys do: 0.0 and −0.0 are
/// one key, and so are all NaNs. Two dictionaries are equal if they hold the same pairs, in whatever order.
///
/// ```
/// use weldment_runtime::store::dict::Dict;
///
/// let mut dict: Dict<i64, f64> = [(7, 0.5), (3, 1.5)].into_iter().collect();
/// dict.insert(5, 2.5);
/// assert_eq!(dict.len(), 3);
/// assert_eq!(dict.get(&3), Some(&1.5));
/// assert_eq!(dict[&7], 0.5);
/// assert!(!dict.contains_key(&4));
/// assert_eq!(dict.keys(), [7, 3, 5]);
/// assert_eq!(dict.values(), [0.5, 1.5, 2.5]);
/// for (key, value) in &dict {
///     println!("{key}: {value}");
/// }
/// assert_eq!(dict.into_iter().next(), Some((7, 0.5)));
/// ```
///
/// Vectors as keys are found by slices:
///
/// ```
/// use weldment_runtime::store::dict::Dict;
/// let dict: Dict<Vec<u8>, i32> = [(b"one".to_vec(), 1)].into_iter().collect();
/// assert_eq!(dict.get(&b"one"[..]), Some(&1));
/// ```
#[derive(Clone)]
pub struct Dict<K, V> {
    pub(crate) keys: Vec<K>,
    /// As many as keys, and in the same order.
    pub(crate) values: Vec<V>,
    /// Not there until a key is looked up, where keys were known to be different without one.
    index: OnceLock<Index>,
}

impl<K, V> Dict<K, V> {
    /// The empty dictionary, which allocates nothing.
    ///
    /// ```
    /// # use weldment_runtime::store::dict::Dict;
    /// let mut dict = Dict::new();
    /// dict.insert(7, "seven");
    /// assert_eq!(dict[&7], "seven");
    /// ```
    pub fn new() -> Dict<K, V> {
        Dict { keys: Vec::new(), values: Vec::new(), index: OnceLock::from(Index::default()) }
    }

    /// The number of keys.
    ///
    /// ```
    /// # use weldment_runtime::store::dict::Dict;
    /// let d: Dict<i64, f64> = [(7, 0.5), (3, 1.5)].into_iter().collect();
    /// assert_eq!(d.len(), 2);
    /// ```
    #[inline]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no key.
    ///
    /// ```
    /// # use weldment_runtime::store::dict::Dict;
    /// assert!(Dict::<i64, f64>::new().is_empty());
    /// ```
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The keys, in order of first insertion.
    ///
    /// ```
    /// # use weldment_runtime::store::dict::Dict;
    /// let d: Dict<i64, f64> = [(7, 0.5), (3, 1.5)].into_iter().collect();
    /// assert_eq!(d.keys(), [7, 3]);
    /// ```
    #[inline]
    pub fn keys(&self) -> &[K] {
        &self.keys
    }

    /// The values, in the order of their keys.
    ///
    /// ```
    /// # use weldment_runtime::store::dict::Dict;
    /// let d: Dict<i64, f64> = [(7, 0.5), (3, 1.5)].into_iter().collect();
    /// assert_eq!(d.values(), [0.5, 1.5]);
    /// ```
    #[inline]
    pub fn values(&self) -> &[V] {
        &self.values
    }

    /// The keys and the values, in order of first insertion.
    ///
    /// ```
    /// # use weldment_runtime::store::dict::Dict;
    /// let d: Dict<i64, f64> = [(7, 0.5), (3, 1.5)].into_iter().collect();
    /// assert_eq!(d.into_columns(), (vec![7, 3], vec![0.5, 1.5]));
    /// ```
    pub fn into_columns(self) -> (Vec<K>, Vec<V>) {
        (self.keys, self.values)
    }

    /// The pairs, in order of first insertion.
    ///
    /// ```
    /// # use weldment_runtime::store::dict::Dict;
    /// let d: Dict<i64, f64> = [(7, 0.5), (3, 1.5)].into_iter().collect();
    /// assert_eq!(d.iter().next(), Some((&7, &0.5)));
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.keys.iter().zip(&self.values)
    }

    /// The pairs, in order of first insertion.
    ///
    /// ```
    /// use weldment_runtime::store::dict::Dict;
    /// let dict: Dict<i64, bool> = [(7, true), (3, false)].into_iter().collect();
    /// assert_eq!(dict.to_vec(), [(7, true), (3, false)]);
    /// ```
    pub fn to_vec(&self) -> Vec<(K, V)>
    where
        K: Clone,
        V: Clone,
    {
        self.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    /// The dictionary of the same keys whose values `f` gives.
    ///
    /// ```
    /// use weldment_runtime::store::dict::Dict;
    /// let dict: Dict<i64, i64> = [(1, 10), (2, 20)].into_iter().collect();
    /// assert_eq!(dict.map_values(|value| value as f64 / 4.0)[&2], 5.0);
    /// ```
    ///
    /// ```
    /// # use weldment_runtime::store::dict::Dict;
    /// let d: Dict<i64, f64> = [(7, 0.5), (3, 1.5)].into_iter().collect();
    /// assert_eq!(d.map_values(|v| v > 1.0).values(), [false, true]);
    /// ```
    pub fn map_values<W>(self, f: impl FnMut(V) -> W) -> Dict<K, W> {
        Dict { keys: self.keys, values: self.values.into_iter().map(f).collect(), index: self.index }
    }
}

/// Makes room for one pair more in these, of `key`, and counts it.
pub(crate) fn reserve_one<K: Key, V>(
    cx: &Context,
    keys: &mut Vec<K>,
    values: &mut Vec<V>,
    index: &mut Index,
    key: &K,
) -> Result<(), Fault> {
    let len = keys.len();
    if keys.capacity() == len {
        growable::reserve(cx, keys, len.max(4))?;
    }
    if values.capacity() == len {
        growable::reserve(cx, values, len.max(4))?;
    }
    index.reserve_one(cx, keys, key)
}

/// Over the pairs of a [`Dict`], by reference.
pub type Iter<'d, K, V> = std::iter::Zip<std::slice::Iter<'d, K>, std::slice::Iter<'d, V>>;

/// Over the pairs of a [`Dict`], by value.
pub type IntoIter<K, V> = std::iter::Zip<std::vec::IntoIter<K>, std::vec::IntoIter<V>>;

impl<K: Key, V> Dict<K, V> {
    /// The dictionary of `keys`, which are all different, and as many `values`.
    pub(crate) fn from_columns(keys: Vec<K>, values: Vec<V>) -> Dict<K, V> {
        Dict { keys, values, index: OnceLock::new() }
    }

    /// [`Dict::from_columns`], with their index.
    pub(crate) fn from_parts(keys: Vec<K>, values: Vec<V>, index: Index) -> Dict<K, V> {
        Dict { keys, values, index: OnceLock::from(index) }
    }

    /// [`Dict::from_columns`], where what a look-up will allocate is counted before.
    pub(crate) fn from_columns_counted(
        cx: &Context,
        keys: Vec<K>,
        values: Vec<V>,
    ) -> Result<Dict<K, V>, Fault> {
        cx.charge(Index::room_for(&keys))?;
        Ok(Dict::from_columns(keys, values))
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(&self.keys))
    }

    /// Prefetches where the search for `key` begins. Nothing is asked of an index that is still to be made.
    #[inline(always)]
    pub fn prefetch_place<Q: Key + ?Sized>(&self, key: &Q) {
        if let Some(index) = self.index.get() {
            index.prefetch_place(key);
        }
    }

    /// Prefetches the key and the value that stand where the search for `key` begins, a while after [`Dict::prefetch_place`].
    #[inline(always)]
    pub fn prefetch_found<Q: Key + ?Sized>(&self, key: &Q) {
        if let Some(slot) = self.index.get().and_then(|index| index.first_slot(key)) {
            cpu::prefetch_line(self.keys.as_ptr().wrapping_add(slot));
            cpu::prefetch_line(self.values.as_ptr().wrapping_add(slot));
        }
    }

    /// The place of `key` in the order of insertion.
    #[inline(always)]
    pub(crate) fn slot<Q: Key + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        self.index().find(&self.keys, key)
    }

    /// Makes room for `key`, and counts it.
    pub(crate) fn reserve_one(&mut self, cx: &Context, key: &K) -> Result<(), Fault> {
        self.index();
        let index = self.index.get_mut().expect("it was just made");
        reserve_one(cx, &mut self.keys, &mut self.values, index, key)
    }

    /// The bytes that keys, values and index take, without what keys and values hold elsewhere.
    pub(crate) fn room(&self) -> usize {
        room(&self.keys) + room(&self.values) + self.index.get().map_or(0, Index::room)
    }

    /// Adds a key that is not there yet, and gives its slot.
    #[inline]
    pub(crate) fn push(&mut self, key: K, value: V) -> usize {
        self.reserve_one(Context::ambient(), &key).expect("memory for a dictionary");
        let slot = self.keys.len();
        self.keys.push(key);
        self.values.push(value);
        let index = self.index.get_mut().expect("it was just made");
        index.insert(&self.keys, slot);
        slot
    }

    /// The value of `key`.
    ///
    /// ```
    /// # use weldment_runtime::store::dict::Dict;
    /// let d: Dict<i64, f64> = [(7, 0.5), (3, 1.5)].into_iter().collect();
    /// assert_eq!((d.get(&3), d.get(&4)), (Some(&1.5), None));
    /// ```
    #[inline(always)]
    pub fn get<Q: Key + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.slot(key).map(|slot| &self.values[slot])
    }

    /// The value of a key by its parts.
    ///
    /// ```
    /// # use weldment_runtime::store::dict::Dict;
    /// let d: Dict<(String, i64), f64> = [(("elm".to_owned(), 7), 0.5)].into_iter().collect();
    /// assert_eq!((d.get_by_parts(&("elm", &7)), d.get_by_parts(&("elm", &8))), (Some(&0.5), None));
    /// ```
    #[inline(always)]
    pub fn get_by_parts<P: Parts<Whole = K>>(&self, key: &P) -> Option<&V> {
        let slot = self.index().find_by(&self.keys, key, |other| key.is(other));
        slot.map(|slot| &self.values[slot])
    }

    /// Whether the key that has these parts is there.
    ///
    /// ```
    /// # use weldment_runtime::store::dict::Dict;
    /// let d: Dict<(String, i64), f64> = [(("elm".to_owned(), 7), 0.5)].into_iter().collect();
    /// assert!(d.contains_parts(&("elm", &7)));
    /// ```
    #[inline(always)]
    pub fn contains_parts<P: Parts<Whole = K>>(&self, key: &P) -> bool {
        self.get_by_parts(key).is_some()
    }

    /// Whether `key` is there.
    ///
    /// ```
    /// # use weldment_runtime::store::dict::Dict;
    /// let d: Dict<i64, f64> = [(7, 0.5), (3, 1.5)].into_iter().collect();
    /// assert!(d.contains_key(&3) && !d.contains_key(&4));
    /// ```
    #[inline(always)]
    pub fn contains_key<Q: Key + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.slot(key).is_some()
    }

    /// Makes `value` the value of `key`, which keeps its place if it was there; gives the value it had.
    ///
    /// ```
    /// # use weldment_runtime::store::dict::Dict;
    /// let mut d: Dict<i64, f64> = [(7, 0.5), (3, 1.5)].into_iter().collect();
    /// assert_eq!(d.insert(3, 2.5), Some(1.5));
    /// assert_eq!(d.insert(4, 0.0), None);
    /// assert_eq!(d.keys(), [7, 3, 4]);
    /// ```
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.slot(&key) {
            Some(slot) => Some(std::mem::replace(&mut self.values[slot], value)),
            None => {
                self.push(key, value);
                None
            }
        }
    }
}

impl<K, V> Default for Dict<K, V> {
    fn default() -> Dict<K, V> {
        Dict::new()
    }
}

impl<K: Key, V> FromIterator<(K, V)> for Dict<K, V> {
    /// Later values of a key replace earlier ones, in the earlier one's place.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Dict<K, V> {
        let mut dict = Dict::new();
        dict.extend(pairs);
        dict
    }
}

impl<K: Key, V> Extend<(K, V)> for Dict<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, pairs: I) {
        for (key, value) in pairs {
            self.insert(key, value);
        }
    }
}

impl<K, V> IntoIterator for Dict<K, V> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;

    fn into_iter(self) -> IntoIter<K, V> {
        self.keys.into_iter().zip(self.values)
    }
}

impl<'d, K, V> IntoIterator for &'d Dict<K, V> {
    type Item = (&'d K, &'d V);
    type IntoIter = Iter<'d, K, V>;

    fn into_iter(self) -> Iter<'d, K, V> {
        self.iter()
    }
}

impl<K: Key + Borrow<Q>, V, Q: Key + ?Sized> Subscript<&Q> for Dict<K, V> {
    type Output = V;

    /// The value of `key`.
    ///
    /// # Panics
    /// If it is not there.
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("no such key in the dictionary")
    }
}

impl<K: Key, V: PartialEq> PartialEq for Dict<K, V> {
    fn eq(&self, other: &Dict<K, V>) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Dict<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Key, V: Heap> Heap for Dict<K, V> {
    const HOLDS: bool = true;

    fn heap(&self) -> usize {
        self.room().saturating_add(elsewhere(self.keys())).saturating_add(elsewhere(self.values()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_keep_the_order_of_first_insertion() {
        let dict: Dict<i64, &str> = [(3, "a"), (1, "b"), (3, "c"), (2, "d")].into_iter().collect();
        assert_eq!(dict.iter().collect::<Vec<_>>(), [(&3, &"c"), (&1, &"b"), (&2, &"d")]);
        assert_eq!(format!("{dict:?}"), r#"{3: "c", 1: "b", 2: "d"}"#);
    }

    #[test]
    fn zeros_and_nans_are_one_key_each() {
        let mut dict = Dict::new();
        assert_eq!(dict.insert(-0.0, 1), None);
        assert_eq!(dict.insert(0.0, 2), Some(1));
        assert_eq!(dict.insert(f64::NAN, 3), None);
        assert_eq!(dict.insert(-f64::NAN, 4), Some(3));
        assert!(dict.keys()[0].is_sign_negative(), "the first one inserted stays");
        assert_eq!(dict.values(), [2, 4]);
    }

    #[test]
    fn equality_does_not_look_at_the_order() {
        let dict = |pairs: &[(u8, f64)]| pairs.iter().copied().collect::<Dict<u8, f64>>();
        assert_eq!(dict(&[(1, 0.5), (2, 1.5)]), dict(&[(2, 1.5), (1, 0.5)]));
        assert_ne!(dict(&[(1, 0.5)]), dict(&[(1, 0.75)]));
        assert_ne!(dict(&[(1, 0.5)]), dict(&[(2, 0.5)]));
        assert_ne!(dict(&[(1, 0.5)]), dict(&[]));
    }

    #[test]
    fn keys_and_values_of_any_kind_are_held() {
        let mut dict: Dict<(Vec<i8>, i64), Vec<Vec<f64>>> = Dict::default();
        dict.insert((vec![1, 2], 3), vec![vec![0.5], vec![]]);
        assert_eq!(dict[&(vec![1, 2], 3)][0], [0.5]);
        assert!(dict.clone() == dict);
    }

    #[test]
    #[should_panic(expected = "no such key in the dictionary")]
    fn a_missing_key_does_not_index() {
        let _ = Dict::<u8, u8>::new()[&1];
    }
}
