use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i32]| result(v));
    let _ = kernel(&[1]);
}
