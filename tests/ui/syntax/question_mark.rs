use weldment::weld;

fn main() {
    let kernel = weld!(|d: &Dict<i64, f64>, k: i64| lookup(d, k)? + 1.0);
    let _ = kernel;
}
