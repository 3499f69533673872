use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| assert!(x > 0.0));
    let _ = kernel;
}
