use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| v.sort_by_key(|x| x > 0));
    let _ = kernel;
}
