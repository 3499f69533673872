use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| (x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x));
    let _ = kernel;
}
