//! ndarray as a contestant, which needs no process: each computation as its documentation has it, the elements already in arrays.

use ndarray::parallel::prelude::*;
use ndarray::{Array1, ArrayView1, ArrayView2, Axis, Zip};

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

/// `v * 1.5 + 0.25`, written to `to`, which has as many elements.
pub(crate) fn map_into(v: &[f64], to: &mut [f64]) {
    let (v, to) = (ArrayView1::from(v), ndarray::ArrayViewMut1::from(to));
    Zip::from(to).and(v).par_for_each(|to, x| *to = x * 1.5 + 0.25);
}

/// `a * x + y`.
pub(crate) fn axpy(a: f32, x: &[f32], y: &[f32]) -> Array1<f32> {
    Zip::from(ArrayView1::from(x)).and(ArrayView1::from(y)).par_map_collect(|x, y| a * x + y)
}
