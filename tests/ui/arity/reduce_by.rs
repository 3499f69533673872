use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[(i64, f64)]| v.reduce_by(|x| x.0, +));
    let _ = kernel;
}
