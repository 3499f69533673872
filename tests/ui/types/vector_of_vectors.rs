use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], w: &[Vec<f64>], c: bool| if c { v } else { w });
    let _ = kernel;
}
