use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| -v);
    let _ = kernel(&[1.0]);
}
