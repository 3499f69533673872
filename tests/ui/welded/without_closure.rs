//! `weld!` that holds items and no closure.

use weldment::weld;

fn score(x: f64) -> f64 {
    x
}

weld! {
    use std::collections;

    /// Right.
    pub fn twice(v: vec[f64]) -> vec[f64] { map(v, |x| x + x) }

    pub fn wrong(v: vec[f64]) -> f64 { sum(v) + 1L }

    fn recursive(x: f64) -> f64 { recursive(x) }

    fn scored(v: &[f64]) -> f64 { v.map(|x| cudf[self::score, f64](x)).sum() }

    const HALF: f64 = 1;
}

fn main() {
    let _ = twice(&[score(1.0)]);
    let _ = twice(1.0);
    let _ = weld! { use score; };
}
