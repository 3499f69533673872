use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], k: isize| v[k]);
    let _ = kernel;
}
