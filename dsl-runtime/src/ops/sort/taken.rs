//! Sorts of a vector that nobody reads later: its elements, which own memory, are moved to their places and not copied.

use super::key::{Key, flip, sort_digits};
use super::sort_places;
use crate::exec::context::Context;
use crate::lang::fault::Fault;
use crate::store::vector::growable::with_capacity;

/// [`sort`](super::sort()) of what is moved.
///
/// ```
/// use weldment_runtime::exec::context::Context;
/// use weldment_runtime::ops::sort::sort_taken;
/// let words = vec!["oak".to_owned(), "elm".to_owned()];
/// let sorted = sort_taken(Context::ambient(), words, |a, b| Ok(a.cmp(b) as i32));
/// assert_eq!(sorted, Ok(vec!["elm".to_owned(), "oak".to_owned()]));
/// ```
///
/// # Errors
/// What `compare` gives, or the fault that memory is out or the run cancelled.
pub fn sort_taken<T>(
    cx: &Context,
    vector: Vec<T>,
    mut compare: impl FnMut(&T, &T) -> Result<i32, Fault>,
) -> Result<Vec<T>, Fault> {
    let places: Vec<usize> =
        sort_places(cx, vector.len(), |a, b| Ok::<_, Fault>(compare(&vector[a], &vector[b])? > 0))?;
    let sorted = moved(cx, vector, places.iter().copied())?;
    cx.discharge(size_of_val(&places[..]));
    Ok(sorted)
}

/// [`sort_by_key`](super::sort_by_key) of what is moved; the key is computed once for each element.
///
/// ```
/// use weldment_runtime::exec::context::Context;
/// use weldment_runtime::ops::sort::sort_by_key_taken;
/// let words = vec!["oak".to_owned(), "maple".to_owned()];
/// let sorted = sort_by_key_taken(Context::ambient(), words, true, |word| word.len() as i64);
/// assert_eq!(sorted, Ok(vec!["maple".to_owned(), "oak".to_owned()]));
/// ```
///
/// # Errors
/// The fault that memory is out or the run cancelled.
pub fn sort_by_key_taken<T, K: Key>(
    cx: &Context,
    vector: Vec<T>,
    descending: bool,
    key: impl Fn(&T) -> K,
) -> Result<Vec<T>, Fault> {
    let flip = flip(K::BYTES, descending);
    let rows = sort_digits(cx, vector.len(), |place| key(&vector[place]).digits() ^ flip)?;
    let sorted = moved(cx, vector, rows.iter().map(|&(_, place)| place))?;
    cx.discharge(size_of_val(&rows[..]));
    Ok(sorted)
}

/// The elements of `vector` at these places, each of which is there once.
fn moved<T>(
    cx: &Context,
    vector: Vec<T>,
    places: impl ExactSizeIterator<Item = usize>,
) -> Result<Vec<T>, Fault> {
    let freed = size_of_val(&vector[..]);
    let mut sorted = with_capacity(cx, places.len())?;
    let mut elements: Vec<Option<T>> = vector.into_iter().map(Some).collect();
    sorted.extend(places.filter_map(|place| elements[place].take()));
    cx.discharge(freed);
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::sort;

    #[test]
    fn what_is_moved_is_sorted_as_what_is_copied() {
        let cx = Context::ambient();
        for len in [0usize, 1, 2, 7, 100] {
            let words: Vec<(String, i64)> =
                (0..len).map(|i| ((i * 7919 % 13).to_string(), i as i64)).collect();
            let compare = |a: &(String, i64), b: &(String, i64)| Ok(a.0.cmp(&b.0) as i32);
            assert_eq!(sort_taken(cx, words.clone(), compare), sort::sort(cx, &words, compare));
            for descending in [false, true] {
                let key = |word: &(String, i64)| word.0.len() as i64;
                let copied = sort::sort_by_key(cx, &words, descending, key);
                assert_eq!(sort_by_key_taken(cx, words.clone(), descending, key), copied);
            }
        }
    }

    #[test]
    fn a_fault_of_the_comparator_ends_the_sort() {
        let fault = Fault::memory(1);
        let words = vec!["b".to_owned(), "a".to_owned()];
        assert_eq!(sort_taken(Context::ambient(), words, |_, _| Err(fault.clone())), Err(fault));
    }
}
