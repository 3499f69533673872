//! Constants of Rust that are not there, or not of the type that the program wants: rustc says it at the name.

use weldment::weld;

const COUNT: i32 = 3;
const TAPS: [f64; 2] = [0.5, 0.5];

fn generic<const N: i64>() -> i64 {
    weld!(|x: i64| x + N)(3)
}

fn main() {
    #[allow(non_snake_case)]
    let LOCAL = 2.0;
    let other = weld!(|v: &[f64]| v.map(|x| x * COUNT).sum());
    let missing = weld!(|v: &[f64]| v.map(|x| x * MISSING).sum());
    let vector = weld!(|v: &[f64]| v.map(|x| x * TAPS[0]).sum());
    let sum = weld!(|v: &[f64]| TAPS.sum() + v.sum());
    let open = weld!(|v: &[f64]| (v.sum(), COUNT));
    let local = weld!(|x: f64| x * LOCAL);
}
