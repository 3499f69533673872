use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(|x| x * scale + offset).sum());
    let _ = kernel;
}
