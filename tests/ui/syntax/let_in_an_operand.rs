use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| 1.0 + let y = x; y);
    let _ = kernel;
}
