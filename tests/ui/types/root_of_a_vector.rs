use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| sqrt(v));
    let _ = kernel;
}
