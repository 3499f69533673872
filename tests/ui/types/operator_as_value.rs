use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(+));
    let _ = kernel;
}
