use weldment::{Weld, weld};

fn score(x: f64) -> f64 {
    x + 1.0
}

mod shop {
    pub fn tax(x: f64) -> f64 {
        x
    }
}

#[derive(Clone, Copy, Weld)]
struct Point {
    x: f64,
}

fn main() {
    let _ = weld!(|v: &[f64]| v.map(|x| frobnicate(x)).sum());
    let _ = weld!(|v: &[f64]| v.map(|x| score(x)).sum());
    let _ = weld!(|v: &[f64]| v.map(shop::tax).sum());
    let _ = weld!(|v: &[f64]| v.map(|x| Point(x)).len());
    // A slip is told at once.
    let _ = weld!(|v: &[f64]| smu(v));
}
