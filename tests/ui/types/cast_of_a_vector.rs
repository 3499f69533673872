use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i32]| i64(v));
    let _ = kernel(&[1]);
}
