use weldment::{Weld, weld};

#[derive(Weld)]
#[allow(non_camel_case_types)]
struct point {
    x: f64,
}

fn main() {
    let kernel = weld!(|points: &[point]| points.map(|point { x }| x).sum());
    println!("{}", kernel(&[point { x: 1.0 }]));
}
