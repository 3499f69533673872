use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], i: i64| v[i / 2.0]);
    let _ = kernel;
}
