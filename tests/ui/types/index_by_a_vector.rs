use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], at: &[i64]| v[at]);
    let _ = kernel;
}
