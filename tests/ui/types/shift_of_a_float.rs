use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| x << 1);
    let _ = kernel(1.0);
}
