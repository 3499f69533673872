use weldment::weld;

fn main() {
    let kernel = weld!(type column = vec[f64]; |x: f64| column(x));
    let _ = kernel;
}
