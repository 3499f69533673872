use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(|| 1.0));
    let _ = kernel;
}
