//! How long something takes.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How often it runs; the least time counts.
const RUNS: usize = 3;

/// What `run` gives in the run that takes the least time, and that time.
pub(crate) fn timed<T>(mut run: impl FnMut() -> T) -> (T, Duration) {
    let mut once = || {
        let begin = Instant::now();
        let result = black_box(run());
        (result, begin.elapsed())
    };
    let mut best = once();
    for _ in 1..RUNS {
        let next = once();
        if next.1 < best.1 {
            best = next;
        }
    }
    best
}
