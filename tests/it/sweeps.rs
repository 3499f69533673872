//! Sweeps over an array that is large enough for two of them to be done at a time.

use weldment::{Array, Options, weld};

/// 16 MiB and a bit.
const SHAPE: [usize; 2] = [1450, 1449];

fn by_hand(u: &Array<f64, 2>, sweeps: i64) -> Vec<f64> {
    let ([n, m], mut state) = (SHAPE, u.as_slice().to_vec());
    for _ in 0..sweeps {
        let from = state.clone();
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                let at = i * m + j;
                state[at] = 0.25 * (from[at - m] + from[at + m] + from[at - 1] + from[at + 1]);
            }
        }
    }
    state
}

#[test]
fn pairs_of_sweeps_give_what_single_ones_do() {
    let jacobi = weld!(|u: &Array<f64, 2>, n: i64| {
        times(n, u, |u| overwrite(u, u.stencil(|c| 0.25 * (c[-1, 0] + c[1, 0] + c[0, -1] + c[0, 1]))))
    });
    assert!(jacobi.explain().contains("two steps are done at a time"), "{}", jacobi.explain());
    let u = &Array::from_fn(SHAPE, |[i, j]| ((i * 37 + j * 11) % 101) as f64 * 0.37).expect("it fits");
    #[cfg(feature = "llvm")]
    let compiled = {
        use weldment::{CompileOptions, ToProgram};
        jacobi.program().compile(&CompileOptions::default()).expect("LLVM compiles what `weld!` accepts")
    };
    for sweeps in 1..=4 {
        let expected = by_hand(u, sweeps);
        let is_same =
            |of: &Array<f64, 2>| of.as_slice().iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
        for threads in [1, 2, 7] {
            let options = Options::new().threads(threads);
            assert!(is_same(&jacobi.with(&options).call(u, sweeps).expect("no fault")), "{sweeps} sweeps");
            #[cfg(feature = "llvm")]
            assert!(
                is_same(&compiled.call_with(&options, (u, sweeps)).expect("no fault")),
                "{sweeps} sweeps, LLVM"
            );
        }
    }
}
