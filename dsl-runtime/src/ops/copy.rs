//! Copies of values that a program stores and still needs, counted before they are made.

use crate::exec::context::Context;
use crate::lang::fault::Fault;
use crate::mem::heap::{Heap, elsewhere};
use crate::store::dict::Dict;
use crate::store::vector::growable::with_capacity;

/// A copy of `value`.
///
/// # Errors
/// MemoryLimit, if the run may not hold so much.
pub fn value<T: Heap + Clone>(cx: &Context, value: &T) -> Result<T, Fault> {
    if cx.memory_limit().is_some() {
        cx.charge(value.heap())?;
    }
    Ok(value.clone())
}

/// A vector of the elements of `slice`.
///
/// # Errors
/// MemoryLimit, if the run may not hold so much.
pub fn slice<T: Heap + Clone>(cx: &Context, slice: &[T]) -> Result<Vec<T>, Fault> {
    if cx.memory_limit().is_some() {
        cx.charge(slice.heap())?;
    }
    let mut vector = Vec::new();
    vector.try_reserve_exact(slice.len()).map_err(|_| Fault::memory(size_of_val(slice)))?;
    vector.extend_from_slice(slice);
    Ok(vector)
}

/// A text of its own.
///
/// # Errors
/// MemoryLimit, if the run may not hold so much.
pub fn text(cx: &Context, text: &str) -> Result<String, Fault> {
    if cx.memory_limit().is_some() {
        cx.charge(text.len())?;
    }
    let mut copy = String::new();
    copy.try_reserve_exact(text.len()).map_err(|_| Fault::memory(text.len()))?;
    copy.push_str(text);
    Ok(copy)
}

/// The vector of `elements`.
///
/// # Errors
/// MemoryLimit, if the run may not hold so much.
pub fn vector<T, const N: usize>(cx: &Context, elements: [T; N]) -> Result<Vec<T>, Fault> {
    let mut vector = with_capacity(cx, N)?;
    vector.extend(elements);
    Ok(vector)
}

/// The pairs of `dict`, in order of first insertion.
///
/// # Errors
/// MemoryLimit, if the run may not hold so much.
pub fn pairs<K: Heap + Clone, V: Heap + Clone>(
    cx: &Context,
    dict: &Dict<K, V>,
) -> Result<Vec<(K, V)>, Fault> {
    let bytes = dict.len().saturating_mul(size_of::<(K, V)>());
    if cx.memory_limit().is_some() {
        cx.charge(bytes.saturating_add(elsewhere(dict.keys())).saturating_add(elsewhere(dict.values())))?;
    }
    let mut vector = Vec::new();
    vector.try_reserve_exact(dict.len()).map_err(|_| Fault::memory(bytes))?;
    vector.extend(dict.iter().map(|(key, value)| (key.clone(), value.clone())));
    Ok(vector)
}

/// The pairs of a dictionary that nobody reads later, in order of first insertion.
///
/// # Errors
/// MemoryLimit, if the run may not hold so much.
pub fn into_pairs<K, V>(cx: &Context, dict: Dict<K, V>) -> Result<Vec<(K, V)>, Fault> {
    let mut vector = with_capacity(cx, dict.len())?;
    vector.extend(dict);
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use crate::exec::context::Context;
    use crate::exec::options::Options;
    use crate::ops::copy;
    use crate::store::dict::Dict;

    #[test]
    fn copies_are_counted() {
        {
            let row = (1, vec![0.5; 100]);
            assert_eq!(copy::value(Context::ambient(), &row), Ok(row.clone()));
            assert!(copy::value(&Context::new(&Options::new().memory_limit(799)), &row).is_err());
        }
        {
            let dict: Dict<i64, bool> = [(7, true), (3, false)].into_iter().collect();
            assert_eq!(copy::pairs(Context::ambient(), &dict), Ok(vec![(7, true), (3, false)]));
            let few = Context::new(&Options::new().memory_limit(31));
            assert!(copy::pairs(&few, &dict).is_err() && copy::into_pairs(&few, dict.clone()).is_err());
            assert_eq!(copy::into_pairs(Context::ambient(), dict), Ok(vec![(7, true), (3, false)]));
        }
    }
}
