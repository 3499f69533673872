use weldment::{Weld, weld};

#[derive(Clone, Copy, Weld)]
struct Point {
    x: f64,
    y: f64,
}

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(|a| Point(a, a)));
    println!("{}", kernel(&[1.0]).len());
}
