//! Collecting merged values in order.
//!
//! If every iteration merges equally often, or at most once, the result has its place before the loop: [`Exact`],
//! [`FixedFanOut`](super::fixed_fan_out::FixedFanOut) and [`AtMost`](super::exact::AtMost). Otherwise a task pushes to a `Vec` of
//! its own, several values at a time with [`keep`] where a guard selects them, and [`concat()`] puts the tasks' vectors
//! together.

#![expect(unsafe_code, reason = "values are written to room that was made for them")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::compress::compact;
use super::exact::Exact;
use crate::exec::allocate::Memory;
use crate::exec::context::Context;
use crate::exec::threads;
use crate::lang::fault::Fault;
use crate::mem::vec::{self, room};

/// Pushes those of `values` whose place in `keep` holds, in order and without a branch on it.
#[inline(always)]
pub fn keep<T: Copy, const L: usize>(
    cx: &Context,
    out: &mut Vec<T>,
    values: [T; L],
    keep: [bool; L],
) -> Result<(), Fault> {
    if out.capacity() - out.len() < L {
        grow(cx, out, L.max(LEAST_BLOCKS))?;
    }
    let len = out.len();
    // SAFETY: there is room for `L` values, and those that are kept are initialised.
    unsafe {
        let kept = compact(out.as_mut_ptr().add(len), values, keep);
        out.set_len(len + kept);
    }
    Ok(())
}

/// Room for this many values at least is made where they come in blocks.
const LEAST_BLOCKS: usize = 1024;

/// The empty vector with room for `len` values, of what `memory` has; the fault MemoryLimit if so many cannot be had.
pub fn with_capacity<T>(memory: &impl Memory, len: usize) -> Result<Vec<T>, Fault> {
    memory.vector(len)
}

/// The empty vector with whatever room `memory` has for one of unknown length.
pub fn of_any_length<T>(memory: &impl Memory) -> Vec<T> {
    memory.any_length()
}

/// Pushes `value`; the fault MemoryLimit if there is no room for it and none can be had.
#[inline(always)]
pub fn push<T>(cx: &Context, out: &mut Vec<T>, value: T) -> Result<(), Fault> {
    let len = out.len();
    if len == out.capacity() {
        grow(cx, out, 1)?;
    }
    // SAFETY: there is room for one value more, either since before or because `grow` made it.
    unsafe {
        out.as_mut_ptr().add(len).write(value);
        out.set_len(len + 1);
    }
    Ok(())
}

/// Pushes all `values`.
#[inline(always)]
pub fn push_block<T, const L: usize>(cx: &Context, out: &mut Vec<T>, values: [T; L]) -> Result<(), Fault> {
    if out.capacity() - out.len() < L {
        grow(cx, out, L.max(LEAST_BLOCKS))?;
    }
    out.extend(values);
    Ok(())
}

/// Pushes all `values`, in order.
#[inline]
pub fn extend<T: Copy>(cx: &Context, out: &mut Vec<T>, values: &[T]) -> Result<(), Fault> {
    if out.capacity() - out.len() < values.len() {
        grow(cx, out, values.len())?;
    }
    out.extend_from_slice(values);
    Ok(())
}

/// Makes room for `more` values at least, and for twice as many as there was room for.
#[cold]
#[inline(never)]
fn grow<T>(cx: &Context, out: &mut Vec<T>, more: usize) -> Result<(), Fault> {
    reserve(cx, out, more.max(out.len()).max(4))
}

/// Makes room for `more` values after those that are there, and no more than that.
///
/// A column of a dictionary is made so, at its length: if one of exactly that length was given for the result, this is the
/// one.
pub(crate) fn reserve<T>(cx: &Context, out: &mut Vec<T>, more: usize) -> Result<(), Fault> {
    if out.capacity() > 0 {
        return vec::reserve_anew(cx, out, more);
    }
    *out = cx.result_vector(more)?;
    Ok(())
}

/// From this many bytes on, vectors are put together on several threads.
const PARALLEL_BYTES: usize = 1 << 20;

/// One vector after the other, in what `memory` has.
pub fn concat<T: Send>(memory: &impl Memory, mut parts: Vec<Vec<T>>) -> Result<Vec<T>, Fault> {
    let cx = memory.context();
    parts.retain(|part| !part.is_empty());
    if parts.len() <= 1 && !memory.keeps_room() {
        return Ok(parts.pop().unwrap_or_default());
    }
    let len: usize = parts.iter().map(Vec::len).sum();
    let forced = cx.options.chosen().testing.force_parallel;
    let threads = match len.saturating_mul(size_of::<T>()) < PARALLEL_BYTES && !forced {
        true => 1,
        false => cx.threads().min(parts.len()),
    };
    let whole = Exact::new(memory, len as i64)?;
    let freed: usize = parts.iter().map(room).sum();
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
        threads::on_threads(cx, threads, &work)
    }
    drop(moves);
    cx.discharge(freed);
    Ok(whole.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::options::{Options, Testing};

    #[test]
    fn kept_values_stay_in_order() {
        let mut out: Vec<usize> = Vec::new();
        for block in 0..1000 {
            let values: [usize; 16] = std::array::from_fn(|i| block * 16 + i);
            keep(Context::ambient(), &mut out, values, values.map(|value| value % 3 == 0)).unwrap();
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

#[cfg(all(test, target_os = "linux", not(miri)))]
mod large_pages {
    use super::with_capacity;
    use crate::exec::context::Context;

    /// What the system says of the mapping that `address` lies in, or nothing where it does not say.
    fn flags(address: usize) -> Option<String> {
        let maps = std::fs::read_to_string("/proc/self/smaps").ok()?;
        let mut inside = false;
        maps.lines().find_map(|line| {
            let range = line.split(' ').next().and_then(|range| range.split_once('-'));
            let bounds = range.map(|(low, high)| [low, high].map(|end| usize::from_str_radix(end, 16)));
            if let Some([Ok(low), Ok(high)]) = bounds {
                inside = (low..high).contains(&address);
            }
            (inside && line.starts_with("VmFlags:")).then(|| line.to_owned())
        })
    }

    #[test]
    fn large_vectors_are_asked_large_pages_for() {
        // A kernel without large pages has no flag for them.
        if !std::path::Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
            return;
        }
        // More than what the allocator takes from memory that it has.
        let large = with_capacity::<f64>(Context::ambient(), 16 << 20).unwrap();
        let flags = flags(large.as_ptr().addr() + (64 << 20)).expect("a mapping");
        assert!(flags.contains(" hg"), "{flags}");
    }
}
