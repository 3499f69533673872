use weldment::weld;

fn main() {
    let kernel = weld!(|d: &Dict<i64, f64>, k: i32| lookup(d, k));
    let _ = kernel;
}
