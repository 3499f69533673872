//! ndarray as a contestant, which needs no process: each computation as its documentation has it, the elements already in arrays.

use ndarray::parallel::prelude::*;
use ndarray::{Array1, ArrayView1, ArrayView2, ArrayViewMut2, Axis, Zip, s};

use crate::workloads::pieces::PIECE;

/// The sum of the squares of a column.
pub(crate) fn sum_of_squares(v: &[f64]) -> f64 {
    let v = ArrayView1::from(v);
    v.axis_chunks_iter(Axis(0), PIECE).into_par_iter().map(|piece| piece.dot(&piece)).sum()
}

/// A matrix, row by row, times a vector.
pub(crate) fn product(m: &[f64], x: &[f64]) -> Vec<f64> {
    let m = ArrayView2::from_shape((x.len(), x.len()), m).expect("the matrix is square");
    let x = ArrayView1::from(x);
    if rayon::current_num_threads() == 1 {
        return m.dot(&x).to_vec();
    }
    m.outer_iter().into_par_iter().map(|row| row.dot(&x)).collect()
}

/// The sums along an axis of a square matrix.
pub(crate) fn sums(m: &[f64], n: usize, axis: usize) -> Vec<f64> {
    ArrayView2::from_shape((n, n), m).expect("the matrix is square").sum_axis(Axis(axis)).to_vec()
}

/// A square matrix times another one.
pub(crate) fn matrix_product(a: &[f64], b: &[f64], n: usize) -> Vec<f64> {
    let [a, b] = [a, b].map(|m| ArrayView2::from_shape((n, n), m).expect("the matrix is square"));
    a.dot(&b).into_raw_vec_and_offset().0
}

/// `a * 2 + b`, of square matrices, written to `to`; of b transposed, if that is said.
pub(crate) fn pointwise(a: &[f64], b: &[f64], n: usize, is_transposed: bool, to: &mut Vec<f64>) {
    to.resize(n * n, 0.0);
    let to = ArrayViewMut2::from_shape((n, n), to).expect("there are as many");
    let [a, b] = [a, b].map(|m| ArrayView2::from_shape((n, n), m).expect("the matrix is square"));
    let b = if is_transposed { b.reversed_axes() } else { b };
    Zip::from(to).and(a).and(b).par_for_each(|to, a, b| *to = a * 2.0 + b);
}

/// The mean of the four neighbours of what is inside of a square matrix, written to `to`.
pub(crate) fn jacobi(u: &[f64], n: usize, to: &mut Vec<f64>) {
    to.resize((n - 2) * (n - 2), 0.0);
    let to = ArrayViewMut2::from_shape((n - 2, n - 2), to).expect("there are as many");
    let u = ArrayView2::from_shape((n, n), u).expect("the matrix is square");
    let (up, down) = (u.slice(s![..-2, 1..-1]), u.slice(s![2.., 1..-1]));
    let (left, right) = (u.slice(s![1..-1, ..-2]), u.slice(s![1..-1, 2..]));
    let mean = |to: &mut f64, up: &f64, down: &f64, left: &f64, right: &f64| {
        *to = 0.25 * (up + down + left + right);
    };
    Zip::from(to).and(up).and(down).and(left).and(right).par_for_each(mean);
}

/// `v * 1.5 + 0.25`, written to `to`, which has as many elements.
pub(crate) fn map_into(v: &[f64], to: &mut [f64]) {
    let (v, to) = (ArrayView1::from(v), ndarray::ArrayViewMut1::from(to));
    Zip::from(to).and(v).par_for_each(|to, x| *to = x * 1.5 + 0.25);
}

/// `a * x + y`.
pub(crate) fn axpy(a: f32, x: &[f32], y: &[f32]) -> Array1<f32> {
    Zip::from(ArrayView1::from(x)).and(ArrayView1::from(y)).par_map_collect(|x, y| a * x + y)
}
