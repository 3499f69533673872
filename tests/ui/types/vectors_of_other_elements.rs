use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], w: &[i32], c: bool| if c { v } else { w });
    let _ = kernel;
}
