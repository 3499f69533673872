use weldment::weld;

fn main() {
    let kernel = weld!(|a: &Dict<i64, f64>, b: &Dict<i64, f64>| a == b);
    let _ = kernel;
}
