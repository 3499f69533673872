use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.reduce(|x| x));
    let _ = kernel;
}
