use weldment::{Weld, weld};

#[derive(Clone, Copy, Weld)]
struct Point {
    x: f64,
    y: f64,
}

fn main() {
    let kernel = weld!(|p: &[Point]| p.map(|Point { x }| x).sum());
    println!("{}", kernel(&[Point { x: 1.0, y: 2.0 }]));
}
