use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(|(x, y)| x + y));
    let _ = kernel;
}
