use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(|x| x ^ 2).sum());
    let _ = kernel;
}
