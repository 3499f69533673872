use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| zip(v, v).sum() + 1.0);
    let _ = kernel;
}
