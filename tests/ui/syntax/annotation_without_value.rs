use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| @(size) v);
    let _ = kernel;
}
