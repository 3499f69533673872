//! Tridiagonal systems, one in each column: elimination downwards, substitution upwards.

use weldment::{Array, Kernel, weld};

use crate::compared::{Compared, compared};

type Matrix = Array<f64, 2>;

/// Of the diagonals below, on and above, and of the right-hand side.
type Solve = fn(&Matrix, &Matrix, &Matrix, &Matrix) -> Matrix;

static SOLVE: Kernel<Solve> = weld!(
    #[expect(loops = 2, materialized = 2)]
    |a: &Array<f64, 2>, b: &Array<f64, 2>, c: &Array<f64, 2>, d: &Array<f64, 2>| {
        zip(a, b, c, d)
            .scan(0, (0.0, 0.0), |(cp, dp), (a, b, c, d)| {
                let pivot = b - a * cp;
                (c / pivot, (d - a * dp) / pivot)
            })
            .scan_back(0, 0.0, |x, (cp, dp)| dp - cp * x)
    }
);

fn by_hand([a, b, c, d]: [&Matrix; 4]) -> Matrix {
    let [n, m] = a.shape();
    let [a, b, c, d] = [a, b, c, d].map(|array| array.as_slice());
    let (mut cp, mut dp) = (vec![0.0; n * m], vec![0.0; n * m]);
    for k in 0..n {
        for j in 0..m {
            let at = k * m + j;
            let (above_c, above_d) = if k == 0 { (0.0, 0.0) } else { (cp[at - m], dp[at - m]) };
            let pivot = b[at] - a[at] * above_c;
            cp[at] = c[at] / pivot;
            dp[at] = (d[at] - a[at] * above_d) / pivot;
        }
    }
    for k in (0..n).rev() {
        for j in 0..m {
            let at = k * m + j;
            let below = if k + 1 == n { 0.0 } else { dp[at + m] };
            dp[at] -= cp[at] * below;
        }
    }
    Array::new(dp, [n, m]).expect("as many as before")
}

pub(crate) fn run(size: usize) -> Vec<Compared> {
    let matrix = |scale: f64, offset: f64| {
        Array::from_fn([64, size], |[k, j]| offset + scale * ((k * 7 + j * 5) % 13) as f64)
            .expect("a matrix that fits")
    };
    let (a, b, c, d) = (matrix(0.1, 0.5), matrix(0.1, 4.0), matrix(0.1, -1.0), matrix(1.0, 0.0));
    let by_hand = || by_hand([&a, &b, &c, &d]);
    vec![compared("tridiagonal systems on columns", || SOLVE(&a, &b, &c, &d), by_hand)]
}
