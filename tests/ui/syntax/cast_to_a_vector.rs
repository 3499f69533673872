use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| x as Vec<f64>);
    let _ = kernel;
}
