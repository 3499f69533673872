use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| v.reduce(|a, b| a < b));
    let _ = kernel;
}
