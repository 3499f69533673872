//! Functions of Rust that kernels are to call as they are.

use weldment::{weld, welded};

#[welded(opaque)]
fn score(x: f64) -> f64 {
    x
}

#[welded(opaque)]
fn norm(v: &[f64], n: usize) -> f64 {
    v[n]
}

#[welded(opaque)]
unsafe fn wild(x: f64) -> f64 {
    x
}

#[welded]
fn twice(x: f64) -> f64 {
    score(x) * 2.0
}

fn main() {
    let _ = weld!(|v: &[i64]| v.map(score).sum());
    let _ = weld!(|v: &[f64]| v.map(|x| score(x, 1.0)).sum());
    let _ = weld!(|v: &[f64]| norm(v, 0));
    let _ = weld!(|v: &[f64]| v.map(twice).sum());
    let _ = twice(score(1.0)) + norm(&[1.0], 0);
    let _ = weld!(|v: &[f64]| v.map(score).sum() + true);
}
