use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(|x: i64| x + 1).sum());
    let _ = kernel;
}
