//! Seven statistics of a column in one pass.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Answer, Column, Contest};
use crate::cpu::dispatch;
use crate::peers::{Input, Task};
use crate::prefetch::{AHEAD, ahead, prefetch};
use crate::random;
use crate::workloads::pieces::PIECE;

/// The number of positive values, and of all values the sum, that of the squares and of the cubes, the least, the greatest
/// and the sum of the positive ones.
type Statistics = (i64, f64, f64, f64, f64, f64, f64);

const STATISTICS: Kernel<fn(&[f64]) -> Statistics> = weld!(|v: &[f64]| {
    let positive = v.filter(|x| x > 0.0);
    (
        len(positive),
        v.sum(),
        v.map(|x| x * x).sum(),
        v.map(|x| x * x * x).sum(),
        v.min(),
        v.max(),
        positive.sum(),
    )
});

pub(crate) fn run(bench: &mut Bench<'_>) {
    let name = "seven statistics";
    if !bench.wants(name) {
        return;
    }
    let v = &random::floats(bench.rows(50_000_000), 41, -1.0, 1.5)[..];
    let task = Task { query: "statistics", columns: vec![("x", Input::F64(v))], given: vec![] };
    let mut contest = Contest::new(name, size_of_val(v), Some(1.05))
        .with("hand", || by_hand(v), answer)
        .ours(&STATISTICS, (v,), |kernel, (v,)| kernel(v), answer)
        .peers(&bench.peers, &["polars", "duckdb", "datafusion"], &task, |statistics| statistics);
    contest.tolerance = 1e-9;
    bench.contest(&contest);
}

fn answer((positive, sum, squares, cubes, least, greatest, positives): Statistics) -> Answer {
    let floats = [sum, squares, cubes, least, greatest, positives].map(|float| Column::Floats(vec![float]));
    [Column::Integers(vec![positive])].into_iter().chain(floats).collect()
}

const LANES: usize = 32;

/// Sums in lanes, so that one does not wait for the other.
#[derive(Clone, Copy)]
struct Lanes {
    count: [i64; LANES],
    sum: [f64; LANES],
    squares: [f64; LANES],
    cubes: [f64; LANES],
    least: [f64; LANES],
    greatest: [f64; LANES],
    positives: [f64; LANES],
}

fn by_hand(v: &[f64]) -> Statistics {
    let none = (0, 0.0, 0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY, 0.0);
    v.par_chunks(PIECE).map(of_piece).reduce(|| none, both)
}

fn both(a: Statistics, b: Statistics) -> Statistics {
    (a.0 + b.0, a.1 + b.1, a.2 + b.2, a.3 + b.3, a.4.min(b.4), a.5.max(b.5), a.6 + b.6)
}

fn of_piece(v: &[f64]) -> Statistics {
    if ahead() == 0 { statistics::<false>(v) } else { statistics::<true>(v) }
}

/// With a distance that is known at run time only, the compiler would not use vectors here.
fn statistics<const ASKS: bool>(v: &[f64]) -> Statistics {
    dispatch(
        #[inline(always)]
        || {
            let mut lanes = Lanes {
                count: [0; LANES],
                sum: [0.0; LANES],
                squares: [0.0; LANES],
                cubes: [0.0; LANES],
                least: [f64::INFINITY; LANES],
                greatest: [f64::NEG_INFINITY; LANES],
                positives: [0.0; LANES],
            };
            let (chunks, rest) = v.as_chunks::<LANES>();
            for chunk in chunks {
                if ASKS {
                    prefetch(chunk, AHEAD);
                }
                for (lane, &x) in chunk.iter().enumerate() {
                    lanes.add(lane, x);
                }
            }
            for &x in rest {
                lanes.add(0, x);
            }
            (0..LANES).map(|lane| lanes.of(lane)).reduce(both).expect("there are lanes")
        },
    )
}

impl Lanes {
    #[inline(always)]
    fn add(&mut self, lane: usize, x: f64) {
        let is_positive = x > 0.0;
        self.count[lane] += i64::from(is_positive);
        self.sum[lane] += x;
        self.squares[lane] += x * x;
        self.cubes[lane] += x * x * x;
        self.least[lane] = if x < self.least[lane] { x } else { self.least[lane] };
        self.greatest[lane] = if x > self.greatest[lane] { x } else { self.greatest[lane] };
        self.positives[lane] += if is_positive { x } else { 0.0 };
    }

    fn of(&self, lane: usize) -> Statistics {
        (
            self.count[lane],
            self.sum[lane],
            self.squares[lane],
            self.cubes[lane],
            self.least[lane],
            self.greatest[lane],
            self.positives[lane],
        )
    }
}
