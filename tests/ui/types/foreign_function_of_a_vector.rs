use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| cudf[norm, f64](v));
    let _ = kernel;
}
