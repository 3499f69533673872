//! Collecting merged values in order.
//!
//! If every iteration merges once, or at most once, the result has its place before the loop:
//! [`Exact`] and [`AtMost`](super::places::AtMost). Otherwise a unit pushes to a `Vec` of its
//! own, several values at a time with [`keep`] where a guard selects them, and [`concat()`] puts the units' vectors
//! together.

#![expect(unsafe_code, reason = "selected values are written before it is known which")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::places::Exact;
use crate::context::Context;
use crate::fault::Fault;
use crate::pool;

/// Pushes those of `values` whose place in `keep` holds, in order and without a branch on it.
///
/// ```
/// use weldment_runtime::builders::collect::keep;
/// let mut even = vec![0];
/// keep(&mut even, [1, 2, 3, 4], [false, true, false, true]);
/// assert_eq!(even, [0, 2, 4]);
/// ```
#[inline(always)]
pub fn keep<T: Copy, const L: usize>(out: &mut Vec<T>, values: [T; L], keep: [bool; L]) {
    if out.capacity() - out.len() < L {
        grow(out, L);
    }
    let mut len = out.len();
    for (value, keep) in values.into_iter().zip(keep) {
        // SAFETY: at most `L` values were kept before this one's place in the block, and there is room for `L`.
        unsafe { out.as_mut_ptr().add(len).write(value) };
        len += keep as usize;
    }
    // SAFETY: `len` has grown by the number of values kept, each written in the next place; there was room.
    unsafe { out.set_len(len) };
}

#[cold]
#[inline(never)]
fn grow<T>(out: &mut Vec<T>, more: usize) {
    out.reserve(more.max(1024));
}

/// From this many bytes on, vectors are put together on several threads.
const PARALLEL_BYTES: usize = 1 << 20;

/// One vector after the other.
///
/// ```
/// use weldment_runtime::builders::collect::concat;
/// use weldment_runtime::context::Context;
/// assert_eq!(concat(Context::ambient(), vec![vec![1], vec![], vec![2, 3]]), Ok(vec![1, 2, 3]));
/// ```
pub fn concat<T: Send>(cx: &Context, mut parts: Vec<Vec<T>>) -> Result<Vec<T>, Fault> {
    parts.retain(|part| !part.is_empty());
    if parts.len() <= 1 {
        return Ok(parts.pop().unwrap_or_default());
    }
    let len: usize = parts.iter().map(Vec::len).sum();
    let forced = cx.options.testing.force_parallel;
    let threads = match len.saturating_mul(size_of::<T>()) < PARALLEL_BYTES && !forced {
        true => 1,
        false => cx.threads().min(parts.len()),
    };
    let whole = Exact::new(len as i64)?;
    let mut start = 0;
    let moves: Vec<_> = parts
        .into_iter()
        .map(|part| {
            let range = start..start + part.len();
            start = range.end;
            Mutex::new(Some((whole.part(range), part)))
        })
        .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(next) = moves.get(next.fetch_add(1, Ordering::Relaxed)) {
            let taken = next.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some((mut part, values)) = taken {
                part.append(values);
            }
        }
    };
    if threads == 1 {
        work()
    } else {
        pool::on_threads(cx, threads, &work)
    }
    drop(moves);
    Ok(whole.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Options, Testing};

    #[test]
    fn kept_values_stay_in_order() {
        let mut out: Vec<usize> = Vec::new();
        for block in 0..1000 {
            let values: [usize; 16] = std::array::from_fn(|i| block * 16 + i);
            keep(&mut out, values, values.map(|value| value % 3 == 0));
        }
        assert_eq!(out, (0..16000).filter(|i| i % 3 == 0).collect::<Vec<_>>());
    }

    #[test]
    fn vectors_concatenate_on_one_thread_and_on_several() {
        let testing = Testing { force_parallel: true, ..Testing::default() };
        for threads in [1, 2] {
            let cx = Context::new(&Options::new().threads(threads).testing(testing));
            let parts: Vec<Vec<String>> =
                (0..20).map(|i| (0..i).map(|j| format!("{i} {j}")).collect()).collect();
            assert_eq!(concat(&cx, parts.clone()).unwrap(), parts.concat());
        }
        assert_eq!(concat::<i32>(Context::ambient(), vec![]), Ok(vec![]));
    }
}
