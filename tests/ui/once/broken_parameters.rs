use weldment::{Kernel, weld};

static SUM: Kernel<fn(&[f64]) -> f64> = weld!(|v &[f64]| v.sum());

fn main() {
    let sum = weld!(|v: &[f64] k: f64| -> f64 { v.sum() * k });
    let total: f64 = sum(&[1.0], 2.0);
    println!("{} {}", total.sqrt(), SUM(&[1.0]));
}
