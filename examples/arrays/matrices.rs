//! A product of matrices, and a factorisation into triangular ones.

use weldment::{Array, Kernel, weld};

use crate::compared::{Compared, compared};

type Matrix = Array<f64, 2>;

static PRODUCT: Kernel<fn(&Matrix, &Matrix) -> Matrix> =
    weld!(|a: &Array<f64, 2>, b: &Array<f64, 2>| inner(a, b));

// Without exchanging rows: step k takes multiples of row k from those below, and keeps the factors in their place.
static LU: Kernel<fn(&Matrix) -> Matrix> = weld!(|a: &Array<f64, 2>| {
    let n = extent(a, 0);
    iterate((a, 0L), |(a, k)| {
        let next = array((n, n), |i, j| {
            if i > k && j >= k {
                let factor = a[i, k] / a[k, k];
                if j == k { factor } else { a[i, j] - factor * a[k, j] }
            } else {
                a[i, j]
            }
        });
        ((next, k + 1), k + 2 < n)
    }).0
});

/// A matrix whose diagonal dominates.
fn matrix(n: usize) -> Matrix {
    Array::from_fn([n, n], |[i, j]| if i == j { 2.0 * n as f64 } else { ((i * 5 + j * 3) % 7) as f64 - 3.0 })
        .expect("a matrix that fits")
}

fn product_by_hand(a: &Matrix, b: &Matrix) -> Matrix {
    let n = a.shape()[0];
    let (a, b) = (a.as_slice(), b.as_slice());
    let mut out = vec![0.0; n * n];
    for i in 0..n {
        let row = &mut out[i * n..][..n];
        for l in 0..n {
            let (factor, other) = (a[i * n + l], &b[l * n..][..n]);
            for j in 0..n {
                row[j] += factor * other[j];
            }
        }
    }
    Array::new(out, [n, n]).expect("as many as before")
}

fn lu_by_hand(a: &Matrix) -> Matrix {
    let n = a.shape()[0];
    let mut out = a.clone();
    let a = out.as_mut_slice();
    for k in 0..n - 1 {
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            a[i * n + k] = factor;
            for j in k + 1..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
        }
    }
    out
}

pub(crate) fn run(size: usize) -> Vec<Compared> {
    let (a, small) = (matrix(size.min(512)), matrix(size.min(128)));
    vec![
        compared("product of matrices", || PRODUCT(&a, &a), || product_by_hand(&a, &a)),
        compared("LU factorisation", || LU(&small), || lu_by_hand(&small)),
    ]
}
