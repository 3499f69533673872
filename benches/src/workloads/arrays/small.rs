//! A thousand calls over small squares: what it costs to write to the array before, beside calls that make new ones.

use std::hint::black_box;
use std::sync::Mutex;

use weldment::{Kernel, weld};

use super::grid::{Matrix, matrix};
use crate::bench::Bench;
use crate::contest::{Answer, Column, Contest};
use crate::ours::OURS;
use crate::repeat::CALLS;

/// Two matrices of one shape; one more.
type Pointwise = fn(&Matrix, &Matrix) -> Matrix;

const POINTWISE: Kernel<Pointwise> = weld!(|a: &Array<f64, 2>, b: &Array<f64, 2>| a * 2.0 + b);

pub(super) fn run(bench: &mut Bench<'_>) {
    for n in [4, 16, 64] {
        let (a, b) = (&matrix(n, 81), &matrix(n, 82));
        let name = format!("a·2 + b, {n}², again");
        again(
            bench,
            n,
            name,
            OURS[0],
            || POINTWISE(black_box(a), b),
            |out| {
                POINTWISE.call_into(out, black_box(a), b).expect("nothing can fail");
            },
        );
        #[cfg(feature = "llvm")]
        {
            use weldment::{CompileOptions, ToProgram};
            let program = POINTWISE.program().compile(&CompileOptions::default());
            let program = program.expect("LLVM compiles what `weld!` accepts");
            let name = format!("a·2 + b, {n}², again, LLVM");
            let fresh = || program.call((black_box(a), b)).expect("nothing can fail");
            again(bench, n, name, OURS[1], fresh, |out| {
                program.call_into(out, (black_box(a), b)).expect("nothing can fail");
            });
        }
    }
}

/// The mark is the same executor, with new memory for each result.
fn again(
    bench: &mut Bench<'_>,
    n: usize,
    name: String,
    who: &'static str,
    fresh: impl Fn() -> Matrix + Sync,
    into: impl Fn(&mut Matrix) + Sync,
) {
    if !bench.wants(&name) {
        return;
    }
    let outs = [Mutex::new(fresh()), Mutex::new(fresh())];
    let contest = Contest::new(name, CALLS * 3 * 8 * n * n, Some(1.0))
        .with("fresh", || repeated(&outs[0], |out| *out = fresh()), |()| answer(&outs[0]))
        .with(who, || repeated(&outs[1], &into), |()| answer(&outs[1]));
    bench.contest(&contest);
}

fn repeated(out: &Mutex<Matrix>, call: impl Fn(&mut Matrix)) {
    let out = &mut *out.lock().expect("nobody panics");
    (0..CALLS).for_each(|_| call(black_box(&mut *out)));
}

fn answer(out: &Mutex<Matrix>) -> Answer {
    vec![Column::Floats(out.lock().expect("nobody panics").as_slice().to_vec())]
}
