use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64, n: i64| if n { x } else { x + n });
    let _ = kernel;
}
