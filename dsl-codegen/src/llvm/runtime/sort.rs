//! The stable sort, in the one way that gives every comparator a meaning, even one that contradicts itself:
//! halves split at the middle, rounded down; the right half's element goes first only where `after` holds.

/// Sorts the numbers below `len`; `after(a, b)` says whether number `a` must come after `b`.
pub(crate) fn merge_sort<E>(
    len: usize,
    after: &mut impl FnMut(usize, usize) -> Result<bool, E>,
) -> Result<Vec<usize>, E> {
    let mut numbers: Vec<usize> = (0..len).collect();
    let mut scratch = numbers.clone();
    sort(&mut numbers, &mut scratch, after)?;
    Ok(numbers)
}

fn sort<E>(
    numbers: &mut [usize],
    scratch: &mut [usize],
    after: &mut impl FnMut(usize, usize) -> Result<bool, E>,
) -> Result<(), E> {
    if numbers.len() < 2 {
        return Ok(());
    }
    let middle = numbers.len() / 2;
    sort(&mut numbers[..middle], &mut scratch[..middle], after)?;
    sort(&mut numbers[middle..], &mut scratch[middle..], after)?;
    scratch.copy_from_slice(numbers);
    let (left, right) = scratch.split_at(middle);
    let (mut i, mut j) = (0, 0);
    for place in numbers.iter_mut() {
        let take_right = j < right.len() && (i == left.len() || after(left[i], right[j])?);
        if take_right {
            *place = right[j];
            j += 1;
        } else {
            *place = left[i];
            i += 1;
        }
    }
    Ok(())
}
