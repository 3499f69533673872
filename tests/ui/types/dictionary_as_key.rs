use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[Dict<Dict<i64, i64>, i64>]| len(v));
    let _ = kernel;
}
