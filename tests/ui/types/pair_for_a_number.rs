use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64, p: (f64, f64)| if x > 0.0 { x } else { p });
    let _ = kernel;
}
