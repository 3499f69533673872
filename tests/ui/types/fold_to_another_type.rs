use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| v.fold(0.0, |acc, x| x));
    let _ = kernel;
}
