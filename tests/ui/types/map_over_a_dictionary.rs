use weldment::weld;

fn main() {
    let kernel = weld!(|d: &Dict<i64, f64>| d.map(|e| e.1).sum());
    let _ = kernel;
}
