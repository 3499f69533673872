use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], x: f64| if x > 0.0 { x } else { v });
    let _ = kernel;
}
