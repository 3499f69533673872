use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| zip(v, weights).map(|(x, w)| x * w).sum());
    let _ = kernel;
}
