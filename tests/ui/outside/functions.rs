//! Functions of Rust whose declarations do not agree with them: rustc says it at the declaration, we say it of calls.

use weldment::weld;

fn score(x: f64) -> f32 {
    x as f32
}

unsafe fn wild(x: f64) -> f64 {
    x
}

fn norm(v: &[f64]) -> f64 {
    v.iter().sum()
}

fn main() {
    let other = weld!(extern { fn score(f64) -> f64; } |v: &[f64]| v.map(score).sum());
    let missing = weld!(extern { fn absent(f64) -> f64; } |v: &[f64]| v.map(absent).sum());
    let not_safe = weld!(extern { fn wild(f64) -> f64; } |v: &[f64]| v.map(wild).sum());
    let vector = weld!(extern { fn norm(&[f64]) -> f64; } |v: &[f64]| norm(v));
    let argument = weld!(extern { fn score(f64) -> f32; } |v: &[i64]| v.map(score).sum());
    let undeclared = weld!(|v: &[f64]| v.map(score).sum());
}
