use weldment::weld;

fn main() {
    let kernel = weld!(type Pair = (f64, f64); |x: f64| Pair { a: x, b: x });
    let _ = kernel;
}
