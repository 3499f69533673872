use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| x * 2.0d);
    let _ = kernel;
}
