//! The stable sort, written out so that even a comparator that contradicts itself has one meaning.
//!
//! Top-down merge sort: halves split at the middle, rounded down; the right half's element goes first only
//! where `after(left, right)` holds.

use weldment_runtime::lang::fault::Fault;

/// `elements`, sorted; `after(a, b)` says whether `a` must come after `b`.
///
/// # Errors
/// What `after` gives; MemoryLimit, if there is no room for them.
pub fn merge_sort<T: Clone>(
    elements: &[T],
    after: &mut impl FnMut(&T, &T) -> Result<bool, Fault>,
) -> Result<Vec<T>, Fault> {
    if elements.len() < 2 {
        return Ok(elements.to_vec());
    }
    let (left, right) = elements.split_at(elements.len() / 2);
    let (left, right) = (merge_sort(left, after)?, merge_sort(right, after)?);
    let (mut i, mut j) = (0, 0);
    let mut sorted = Vec::new();
    sorted.try_reserve_exact(elements.len()).map_err(|_| Fault::memory(size_of_val(elements)))?;
    while i < left.len() && j < right.len() {
        if after(&left[i], &right[j])? {
            sorted.push(right[j].clone());
            j += 1;
        } else {
            sorted.push(left[i].clone());
            i += 1;
        }
    }
    sorted.extend_from_slice(&left[i..]);
    sorted.extend_from_slice(&right[j..]);
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_sorted(elements: &[(i32, char)], expected: &str) {
        let sorted = merge_sort(elements, &mut |a, b| Ok(a.0 > b.0)).unwrap();
        assert_eq!(sorted.iter().map(|pair| pair.1).collect::<String>(), expected);
    }

    #[test]
    fn equal_elements_keep_their_order() {
        check_sorted(&[(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd'), (0, 'e')], "ebdac");
        check_sorted(&[], "");
    }

    #[test]
    fn a_comparator_that_contradicts_itself_loses_nothing() {
        let mut sorted = merge_sort(&[3, 1, 2, 5, 4], &mut |_, _| Ok(true)).unwrap();
        sorted.sort();
        assert_eq!(sorted, [1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_fault_of_the_comparator_ends_the_sort() {
        let fault = Fault::memory(1);
        assert_eq!(merge_sort(&[1, 2], &mut |_, _| Err(fault.clone())), Err(fault));
    }
}
