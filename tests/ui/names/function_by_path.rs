use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| f64::sqrt(x));
    let _ = kernel;
}
