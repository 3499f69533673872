//! Measuring: rounds in turns, peak memory, and the bandwidth of a copy.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::clock::Clock;
use crate::contest::Contest;
use crate::memory;

/// So much time of rounds is enough in one process, ...
const ENOUGH: Duration = Duration::from_secs(2);

/// ... and so many times as many rounds as are asked for.
const MOST: usize = 5;

/// What one contestant took.
pub(crate) struct Measured {
    pub(crate) name: &'static str,
    /// Of each round.
    pub(crate) times: Vec<Duration>,
    /// The most that was allocated at a time beyond what was before, in bytes; results included. It is not
    /// known of other processes.
    pub(crate) peak: Option<usize>,
}

/// Runs everybody `rounds` times, in turns, after a round that warms up; more often where that takes less than [`ENOUGH`], since
/// whatever else happens for some milliseconds is much of what takes no more.
///
/// Each round begins with another contestant: who runs after whom changes what is in the caches and how the memory is
/// laid out, and nobody is to have the best place in all rounds.
///
/// Before each run, as much memory as anybody needs is touched and given back: a virtual machine gives its host memory that
/// nobody has used for some seconds, and has to ask for it again, which here took 2 ms for each MB.
pub(crate) fn measure(contest: &Contest<'_>, clock: Clock, rounds: usize) -> Vec<Measured> {
    let start = Instant::now();
    let peaks: Vec<Option<usize>> = contest
        .contestants
        .iter()
        .map(|contestant| {
            let peak = memory::peak(|| _ = contestant.side.time(clock));
            contestant.side.is_here().then_some(peak)
        })
        .collect();
    let most = peaks.iter().flatten().copied().max().unwrap_or(0);
    let mut times = vec![Vec::with_capacity(rounds); contest.contestants.len()];
    let round = start.elapsed().as_secs_f64();
    let rounds = rounds.max((ENOUGH.as_secs_f64() / round) as usize).min(MOST * rounds);
    let count = contest.contestants.len();
    for round in 0..rounds {
        for place in 0..count {
            let turn = (round + place) % count;
            memory::touch(most);
            times[turn].push(contest.contestants[turn].side.time(clock));
        }
    }
    let all = contest.contestants.iter().zip(times).zip(peaks);
    all.map(|((contestant, times), peak)| Measured { name: contestant.name, times, peak }).collect()
}

/// Copies a vector of 256 MiB on all threads, and says how many bytes that reads and writes a second: what the machine's
/// memory can do at this moment.
pub(crate) fn copy_bandwidth(clock: Clock) -> f64 {
    const ELEMENTS: usize = 1 << 25;
    const PIECE: usize = 1 << 16;
    let from = vec![1.0f64; ELEMENTS];
    let mut to = vec![0.0f64; ELEMENTS];
    let mut times: Vec<Duration> = (0..9)
        .map(|_| {
            let start = clock.now();
            let pieces = to.par_chunks_mut(PIECE).zip(from.par_chunks(PIECE));
            pieces.for_each(|(to, from)| to.copy_from_slice(from));
            black_box(&mut to);
            clock.since(start)
        })
        .collect();
    times.sort();
    (2 * ELEMENTS * size_of::<f64>()) as f64 / times[times.len() / 2].as_secs_f64()
}
