use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| !x);
    let _ = kernel(1.0);
}
