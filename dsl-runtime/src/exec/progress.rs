//! How far a loop has come, told in order: several threads do chunks, and what the callback is given never falls.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The iterations of one loop that are done, and those that were told of.
///
/// Whoever adds tells of everything that is done, unless somebody is at it already, who then looks again before
/// leaving. So nobody waits, a callback may itself run loops, and the last thing told is the end.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    done: AtomicU64,
    told: AtomicU64,
    is_telling: AtomicBool,
}

impl Reports {
    /// Adds `iterations` that are done and has `tell` called with the number of all.
    pub(crate) fn add(&self, iterations: u64, tell: impl Fn(u64)) {
        // All of this is sequentially consistent: either whoever is telling sees this sum, or its flag is seen unset.
        self.done.fetch_add(iterations, Ordering::SeqCst);
        while self.told.load(Ordering::SeqCst) < self.done.load(Ordering::SeqCst) {
            if self.is_telling.swap(true, Ordering::SeqCst) {
                return;
            }
            let done = self.done.load(Ordering::SeqCst);
            if self.told.swap(done, Ordering::SeqCst) < done {
                tell(done);
            }
            self.is_telling.store(false, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn reports_rise_to_the_end_from_any_thread() {
        for threads in [1, 2, 7] {
            let (reports, seen) = (Reports::default(), Mutex::new(vec![0]));
            let work = || (0..1000).for_each(|_| reports.add(3, |done| seen.lock().unwrap().push(done)));
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(work);
                }
            });
            let seen = seen.into_inner().unwrap();
            assert!(seen.is_sorted_by(|a, b| a < b), "{threads} threads");
            assert_eq!(seen.last(), Some(&(threads * 3000)));
        }
    }

    #[test]
    fn what_is_told_may_add_itself() {
        let (reports, seen) = (Reports::default(), Mutex::new(vec![]));
        let note = |done| seen.lock().unwrap().push(done);
        reports.add(1, |done| {
            note(done);
            if done == 1 {
                reports.add(2, note);
            }
        });
        assert_eq!(seen.into_inner().unwrap(), [1, 3]);
    }
}
