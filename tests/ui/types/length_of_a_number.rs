use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| len(x));
    let _ = kernel;
}
