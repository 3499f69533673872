use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| 1.0 + |y| y);
    let _ = kernel;
}
