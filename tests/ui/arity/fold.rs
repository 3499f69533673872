use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.fold(|acc, x| acc + x));
    let _ = kernel;
}
