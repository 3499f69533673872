use weldment::{Kernel, weld};

static TOTAL: Kernel<fn(&[(f64, i32)]) -> f64> =
    weld!(type row = {f64, i32}; |rows: vec[row]| rows.map(|r| r.$0 * k).sum());

fn main() {
    let rows = weld!(type row = {f64, i32}; |rows: vec[row]| -> vec[row] rows.filtr(|r| r.$1 > 0));
    let found = rows(&[(1.0, 2)]);
    println!("{} {}", found[0].0.sqrt(), TOTAL(&found));
}
