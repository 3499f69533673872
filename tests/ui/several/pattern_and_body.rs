use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[(f64, f64)]| v.map(|(a, b, c)| a * b * q + c).sum());
    let _ = kernel;
}
