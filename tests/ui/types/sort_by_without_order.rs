use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| v.sort_by(|a, b| a < b));
    let _ = kernel;
}
