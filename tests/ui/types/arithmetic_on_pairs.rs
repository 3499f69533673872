use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[(f64, f64)]| v.map(|p| p * 2.0).count());
    let _ = kernel;
}
