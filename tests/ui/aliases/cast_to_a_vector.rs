use weldment::weld;

fn main() {
    let kernel = weld!(type column = vec[f64]; |x: i64| x as column);
    let _ = kernel;
}
