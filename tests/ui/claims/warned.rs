#![deny(deprecated)]

use weldment::{Kernel, weld};

static ABOVE: Kernel<fn(&[f64]) -> Vec<f64>> = weld!(
    #[warn(materialized)]
    |v: &[f64]| {
        let w = v.filter(|x| x > 0.0);
        w.map(|x| x - w[0])
    }
);

macro_rules! sorted {
    ($($f:tt)*) => {
        weld!(#[warn(materialized)] |v: &[f64]| v.map($($f)*).sort_by_key(|x| -x)[0])
    };
}

fn main() {
    let _: Vec<f64> = ABOVE(&[1.0, 2.0]);
    let _: f64 = sorted!(|x| x * 2.0)(&[1.0]);
    let _: Vec<i64> = weld!(|v: vec[i64]| map(v, |x| {x}))(&[1]);
}
