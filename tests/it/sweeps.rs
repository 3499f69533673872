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

#[test]
fn a_state_may_begin_as_what_is_computed_or_what_is_read_later() {
    // Each state is read by index, so that it is a vector.
    let moved = weld!(|v: &[i64], n: i64| {
        let first = v.sort();
        iterate((first, 0), |(s, k)| ((s.map(|x| x * 3 + s[0]), k + 1), k + 1 < n)).0
    });
    let kept = weld!(|v: &[i64], n: i64| {
        let first = v.sort();
        let last = iterate((first, 0), |(s, k)| ((s.map(|x| x * 3 + s[0]), k + 1), k + 1 < n)).0;
        (first, last, v.sum())
    });
    let two = weld!(|v: &[i64], n: i64| {
        let (a, b, _) = iterate((v, v, 0), |(a, b, k)| {
            ((a.map(|x| x * 2 + b[0]), b.map(|x| x - a[0]), k + 1), k + 1 < n)
        });
        (a, b)
    });
    let v = [5i64, -3, 8, 1];
    let step = |s: &[i64]| -> Vec<i64> { s.iter().map(|x| x * 3 + s[0]).collect() };
    for n in 1..=4 {
        let mut first = v.to_vec();
        first.sort_unstable();
        let last = (0..n).fold(first.clone(), |s, _| step(&s));
        assert_eq!(moved(&v, n), last);
        assert_eq!(kept(&v, n), (first, last, 11));
        let (a, b) = (0..n).fold((v.to_vec(), v.to_vec()), |(a, b), _| {
            (a.iter().map(|x| x * 2 + b[0]).collect(), b.iter().map(|x| x - a[0]).collect())
        });
        assert_eq!(two(&v, n), (a, b));
    }
    assert_eq!(v, [5, -3, 8, 1]);
}
