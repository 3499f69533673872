use weldment::weld;

fn main() {
    let kernel = weld!(|m: &HashMap<i64, f64>| len(m));
    let _ = kernel;
}
