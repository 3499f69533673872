//! Memory: a map whose result is written to the vector of the one before, and a gigabyte that streams through.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Answer, Column, Contest};
use crate::cpu::dispatch;
use crate::ours::OURS;
use crate::prefetch::{ahead, prefetch};
use crate::random;
use crate::workloads::pieces::PIECE;

/// A column; as many numbers.
type Map = fn(&[f64]) -> Vec<f64>;

const MAP: Kernel<Map> = weld!(|v: &[f64]| v.map(|x| x * 1.5 + 0.25));
const LARGE: Kernel<fn(&[u8]) -> i64> = weld!(|v: &[u8]| v.filter(|x| x >= 128u8).map(|x| i64(x)).sum());

/// A vector that is written to again and again.
#[derive(Default)]
struct Out(Mutex<Vec<f64>>);

impl Out {
    fn vector(&self) -> MutexGuard<'_, Vec<f64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self) -> Answer {
        vec![Column::Floats(self.vector().clone())]
    }
}

pub(crate) fn run(bench: &mut Bench<'_>) {
    map_again(bench);
    stream(bench);
}

fn map_again(bench: &mut Bench<'_>) {
    let name = "map into the same vector";
    if !bench.wants(name) {
        return;
    }
    let v = &random::floats(bench.rows(16_000_000), 71, 0.0, 1.0)[..];
    let outs: [Out; 4] = Default::default();
    let [by_hand, by_kernel, by_llvm, by_ndarray] = &outs;
    let contest = Contest::new(name, 2 * size_of_val(v), Some(1.1))
        .with("hand", || map_by_hand(v, &mut by_hand.vector()), |()| by_hand.answer())
        .with(
            OURS[0],
            || MAP.call_into(&mut *by_kernel.vector(), v).expect("nothing can fail"),
            |()| by_kernel.answer(),
        );
    #[cfg(feature = "llvm")]
    let contest = {
        use weldment::{CompileOptions, ToProgram};
        let program = MAP.program().compile(&CompileOptions::default());
        let program = program.expect("LLVM compiles what `weld!` accepts");
        let run = move || {
            program.call_into::<(&[f64],), _>(&mut *by_llvm.vector(), (v,)).expect("nothing can fail");
        };
        contest.with(OURS[1], run, |()| by_llvm.answer())
    };
    #[cfg(not(feature = "llvm"))]
    let _ = by_llvm;
    #[cfg(feature = "ndarray")]
    let contest = {
        by_ndarray.vector().resize(v.len(), 0.0);
        let run = || crate::peers::array::map_into(v, &mut by_ndarray.vector());
        contest.with("ndarray", run, |()| by_ndarray.answer())
    };
    #[cfg(not(feature = "ndarray"))]
    let _ = by_ndarray;
    bench.contest(&contest.with("weld!, new memory", || MAP(v), |mapped| vec![Column::Floats(mapped)]));
}

/// Into memory that is there but for the first time.
fn map_by_hand(v: &[f64], to: &mut Vec<f64>) {
    to.resize(v.len(), 0.0);
    to.par_chunks_mut(PIECE).zip(v.par_chunks(PIECE)).for_each(|(to, v)| {
        dispatch(
            #[inline(always)]
            || to.iter_mut().zip(v).for_each(|(to, x)| *to = x * 1.5 + 0.25),
        );
    });
}

fn stream(bench: &mut Bench<'_>) {
    let name = "filtered sum of 10⁹ u8";
    if !bench.wants(name) {
        return;
    }
    let v = &random::column(bench.rows(1_000_000_000), 72, |rng| rng.u8(..))[..];
    let answer = |sum: i64| vec![Column::Integers(vec![sum])];
    // It is here for its memory: the sum by hand has 32 bits, since it knows how many bytes a block has.
    let contest = Contest::new(name, v.len(), None)
        .with("hand", || v.par_chunks(PIECE).map(sum_of_large).sum(), answer)
        .ours(&LARGE, (v,), |kernel, (v,)| kernel(v), answer);
    bench.contest(&contest);
}

fn sum_of_large(v: &[u8]) -> i64 {
    let ahead = ahead();
    let large = |x: u8| if x >= 128 { u32::from(x) } else { 0 };
    dispatch(
        #[inline(always)]
        || {
            // No 2^24 bytes are more than an `u32` holds.
            let of_block = |block: &[u8]| {
                prefetch(block, ahead);
                i64::from(block.iter().map(|&x| large(x)).sum::<u32>())
            };
            v.chunks(1 << 12).map(of_block).sum()
        },
    )
}
