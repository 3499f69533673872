use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| v.filter(|x| x > limit).count());
    let _ = kernel;
}
