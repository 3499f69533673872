use weldment::{Kernel, weld};

static NORM: Kernel<fn(&[f64]) -> f64> = weld!(|v: &[f64]| v.map(|x| x * x).sum().sqrtt());
static COUNT: Kernel<fn(&[f64]) -> i64> = weld!(|v: &[f64]| v.filter(|x| x > ).count());

fn main() {
    println!("{} {}", NORM(&[3.0, 4.0]), COUNT(&[1.0]));
}
