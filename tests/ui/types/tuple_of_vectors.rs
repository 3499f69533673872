use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], w: &[f64]| (v, w).map(|(x, y)| x * y));
    let _ = kernel;
}
