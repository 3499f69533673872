use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| sort(v, |a, b| a < b));
    let _ = kernel(&[1.0]);
}
