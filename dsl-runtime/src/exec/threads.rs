//! Threads: the rayon pool that a run's options ask for.
//!
//! Under Miri they are plain threads of the run's own, and rayon is never asked: its queues turn integers to
//! pointers in ways that Miri cannot follow, and are not what is to be checked.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::ThreadPool;

use crate::exec::context::Context;
use crate::lang::fault::Fault;

/// Runs `work` on up to `threads` threads at once and returns when all have returned.
///
/// All calls of `work` do the same job together, and each returns when nothing of it is left to begin: one
/// that starts late, or not before the others have ended, finds nothing to do. So nobody waits for a thread
/// that is busy with something else, and loops may nest.
///
/// `work` has no type of its own here, so that this and rayon's jobs are compiled once and not for each loop.
#[inline(never)]
pub(crate) fn on_threads(cx: &Context, threads: usize, work: &(dyn Fn() + Sync)) {
    if threads <= 1 {
        return work();
    }
    if cfg!(miri) {
        return on_plain_threads(threads, work);
    }
    let share = || {
        rayon::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|_| work());
            }
            work();
        });
    };
    match cx.own_threads().and_then(pool) {
        Some(pool) => pool.install(share),
        None => share(),
    }
}

/// Does `work` for each of the tasks, on the threads of the run. The first fault, in the order of the tasks, is given; those after
/// one that failed may not have been begun.
///
/// # Errors
/// What `work` gives.
pub fn each<T: Send>(
    cx: &Context,
    tasks: Vec<T>,
    work: &(impl Fn(T) -> Result<(), Fault> + Sync),
) -> Result<(), Fault> {
    let mut waiting = Vec::with_capacity(tasks.len());
    for task in tasks {
        waiting.push(Mutex::new(Some(task)));
    }
    each_number(cx, waiting.len(), &|number| {
        let task = waiting[number].lock().unwrap_or_else(PoisonError::into_inner).take();
        task.map_or(Ok(()), work)
    })
}

/// Does `work` for each number below `count`, as [`each`] does; it is compiled once.
#[inline(never)]
fn each_number(
    cx: &Context,
    count: usize,
    work: &(dyn Fn(usize) -> Result<(), Fault> + Sync),
) -> Result<(), Fault> {
    let threads = cx.threads().min(count);
    if threads < 2 {
        return (0..count).try_for_each(work);
    }
    let next = AtomicUsize::new(0);
    let first: Mutex<Option<(usize, Fault)>> = Mutex::new(None);
    on_threads(cx, threads, &|| {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            if let Err(fault) = work(number) {
                let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                if first.as_ref().is_none_or(|(other, _)| number < *other) {
                    *first = Some((number, fault));
                }
                return;
            }
        }
    });
    first.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), |(_, fault)| Err(fault))
}

fn on_plain_threads(threads: usize, work: &(dyn Fn() + Sync)) {
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        work();
        let ended = others.into_iter().try_for_each(|other| other.join());
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

/// The pool of this many threads, started when it is first asked for; none if that fails.
fn pool(threads: usize) -> Option<Arc<ThreadPool>> {
    static POOLS: Mutex<Vec<Arc<ThreadPool>>> = Mutex::new(Vec::new());
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.iter().find(|pool| pool.current_num_threads() == threads) {
        return Some(pool.clone());
    }
    let name = move |thread| format!("weldment {threads}.{thread}");
    let pool = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().ok()?);
    pools.push(pool.clone());
    Some(pool)
}

// They are about the pools, which Miri does not run.
#[cfg(all(test, not(miri)))]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::exec::options::Options;

    #[test]
    fn each_number_of_threads_has_one_pool() {
        let again = pool(3).unwrap();
        assert!(Arc::ptr_eq(&pool(3).unwrap(), &again));
        assert_eq!(again.current_num_threads(), 3);
    }

    #[test]
    fn the_number_asked_for_is_the_number_used() {
        let cx = Context::new(&Options::new().threads(3));
        let (calls, inside) = (AtomicUsize::new(0), AtomicUsize::new(0));
        on_threads(&cx, 3, &|| {
            calls.fetch_add(1, Ordering::Relaxed);
            inside.fetch_max(rayon::current_num_threads(), Ordering::Relaxed);
        });
        assert_eq!((calls.into_inner(), inside.into_inner()), (3, 3));
    }
}
