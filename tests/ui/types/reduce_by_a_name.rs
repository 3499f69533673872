use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| v.reduce_by(|x| x % 2, |x| x, v));
    let _ = kernel;
}
