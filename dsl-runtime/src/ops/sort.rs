//! The stable sort.
//!
//! By a comparator: top-down merge sort, with halves split at the middle, rounded down: which pairs are compared, and in which
//! order, is part of what a program means where the comparator contradicts itself or faults.
//!
//! By a key, which nobody sees being compared: by the key's digits (`ops/sort/radix.rs`).

mod bucket;
mod key;
mod radix;
mod taken;

pub use key::{
    Key, digits_of, flip, has_digits, sort_by_kept_key, sort_by_key, sort_by_key_into, sort_digits, sort_keys,
};
pub use radix::sort as sort_rows;
pub use taken::{sort_by_key_taken, sort_taken};

use std::mem::needs_drop;

use crate::exec::context::{Context, ROWS_STRIP, STRIP};
use crate::lang::fault::Fault;
use crate::store::vector::growable::with_capacity;

/// `vector`, sorted: `compare(a, b)` is positive if `a` must come after `b`. Elements of which neither must come
/// after the other keep their order.
pub fn sort<T: Clone>(
    cx: &Context,
    vector: &[T],
    mut compare: impl FnMut(&T, &T) -> Result<i32, Fault>,
) -> Result<Vec<T>, Fault> {
    if needs_drop::<T>() {
        // What is costly to clone is cloned once, when its place is known.
        let places = sort_places(cx, vector.len(), |a, b| Ok(compare(&vector[a], &vector[b])? > 0))?;
        let mut sorted = with_capacity(cx, vector.len())?;
        sorted.extend(places.iter().map(|&place: &usize| vector[place].clone()));
        cx.discharge(size_of_val(&places[..]));
        return Ok(sorted);
    }
    let mut sorted = with_capacity(cx, vector.len())?;
    sorted.extend_from_slice(vector);
    merge_sort(cx, &mut sorted, &mut |a, b| Ok::<_, Fault>(compare(a, b)? > 0))?;
    Ok(sorted)
}

/// The numbers below `len` in the order in which [`sort`] would put what they number: `after(a, b)` says whether the
/// one numbered `a` must come after the one numbered `b`.
///
/// # Errors
/// What `after` gives, or the fault that memory is out or the run cancelled.
pub fn sort_places<E: From<Fault>>(
    cx: &Context,
    len: usize,
    mut after: impl FnMut(usize, usize) -> Result<bool, E>,
) -> Result<Vec<usize>, E> {
    let mut places = with_capacity(cx, len)?;
    places.extend(0..len);
    merge_sort(cx, &mut places, &mut |&a, &b| after(a, b))?;
    Ok(places)
}

fn merge_sort<T: Clone, E: From<Fault>>(
    cx: &Context,
    elements: &mut [T],
    after: &mut impl FnMut(&T, &T) -> Result<bool, E>,
) -> Result<(), E> {
    let mut copy = with_capacity(cx, elements.len())?;
    copy.extend_from_slice(elements);
    // Most comparisons are those of short merges, which never come to a strip of elements; and each may run a loop.
    let mut compared = 0;
    let mut after = |a: &T, b: &T| {
        if compared == ROWS_STRIP {
            compared = 0;
            cx.poll()?;
        }
        compared += 1;
        after(a, b)
    };
    sort_into(cx, &mut copy, elements, &mut after)?;
    cx.discharge(size_of_val(elements));
    Ok(())
}

/// Sorts what both slices hold into `sorted`, with `spare` for work. Asks whether the run goes on where much is moved without a
/// comparison.
fn sort_into<T: Clone, E: From<Fault>>(
    cx: &Context,
    spare: &mut [T],
    sorted: &mut [T],
    after: &mut impl FnMut(&T, &T) -> Result<bool, E>,
) -> Result<(), E> {
    let len = sorted.len();
    if len < 2 {
        return Ok(());
    }
    let middle = len / 2;
    sort_into(cx, &mut sorted[..middle], &mut spare[..middle], after)?;
    sort_into(cx, &mut sorted[middle..], &mut spare[middle..], after)?;
    let (left, right) = spare.split_at(middle);
    let (mut i, mut j) = (0, 0);
    let mut places = sorted.iter_mut();
    loop {
        for place in places.by_ref().take(STRIP) {
            let take_left = j == right.len() || i < left.len() && !after(&left[i], &right[j])?;
            *place = if take_left {
                i += 1;
                left[i - 1].clone()
            } else {
                j += 1;
                right[j - 1].clone()
            };
        }
        if places.len() == 0 {
            return Ok(());
        }
        cx.poll()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::order;

    #[test]
    fn sorts_are_stable_at_every_length() {
        // Miri would take an hour for all of them.
        for len in (0..200usize).step_by(if cfg!(miri) { 37 } else { 1 }) {
            let keys: Vec<(usize, usize)> = (0..len).map(|i| (i * 7919 % 13, i)).collect();
            let mut expected = keys.clone();
            expected.sort_by_key(|pair| pair.0);
            assert_eq!(
                sort(Context::ambient(), &keys, |a, b| Ok(order::compare(&(a.0 as u64), &(b.0 as u64)))),
                Ok(expected.clone())
            );
            let words: Vec<(String, usize)> = keys.iter().map(|pair| (pair.0.to_string(), pair.1)).collect();
            let sorted =
                sort(Context::ambient(), &words, |a, b| Ok(order::compare(&a.0.as_bytes(), &b.0.as_bytes())))
                    .unwrap();
            let mut expected = words;
            expected.sort_by(|a, b| a.0.cmp(&b.0));
            assert_eq!(sorted, expected);
        }
    }

    #[test]
    fn a_comparator_that_contradicts_itself_loses_nothing_and_has_one_meaning() {
        // Always after: each merge puts its right half first.
        assert_eq!(sort(Context::ambient(), &[1, 2, 3, 4, 5], |_, _| Ok(1)), Ok(vec![5, 4, 3, 2, 1]));
        let mut state = 1u32;
        let many = if cfg!(miri) { 100 } else { 1000 };
        let mut sorted = sort(Context::ambient(), &(0..many).collect::<Vec<_>>(), |_, _| {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            Ok((state >> 30) as i32 - 1)
        })
        .unwrap();
        sorted.sort();
        assert_eq!(sorted, (0..many).collect::<Vec<_>>());
    }

    /// As many comparisons as it takes to notice that the run is cancelled, which is after `before` of them.
    fn compared_after_cancelling(len: i64, before: usize) -> usize {
        use crate::exec::options::{Cancel, Options};

        let cancel = Cancel::new();
        let options = Options::new().cancel(&cancel);
        let mut compared = 0;
        let sorted = sort(&Context::new(&options), &(0..len).rev().collect::<Vec<i64>>(), |a, b| {
            compared += 1;
            if compared == before {
                cancel.cancel();
            }
            Ok(order::compare(a, b))
        });
        assert_eq!(sorted.unwrap_err().kind, crate::lang::fault::FaultKind::Cancelled);
        compared - before
    }

    #[test]
    fn a_cancelled_sort_ends_soon() {
        // In merges of few elements, and of a vector that is shorter than a strip.
        for before in [1, 100, 2000] {
            let compared = compared_after_cancelling(1 << 10, before);
            assert!(compared <= ROWS_STRIP, "{compared}");
        }
        // Miri takes minutes for a long one.
        #[cfg(not(miri))]
        assert!(compared_after_cancelling(1 << 19, 1 << 20) <= ROWS_STRIP);
    }

    #[test]
    fn a_fault_of_the_comparator_ends_the_sort() {
        let fault = Fault::memory(1);
        assert_eq!(sort(Context::ambient(), &[1, 2], |_, _| Err(fault.clone())), Err(fault.clone()));
        assert_eq!(sort(Context::ambient(), &[vec![1], vec![2]], |_, _| Err(fault.clone())), Err(fault));
    }
}
