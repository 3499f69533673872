use weldment::weld;

fn main() {
    let kernel = weld!(|d: &Dict<i64, f64>| d.0);
    let _ = kernel;
}
