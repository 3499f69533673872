use weldment::weld;

fn main() {
    let kernel = weld!(|v &[f64]| v.sum());
    let _ = kernel;
}
