use weldment::weld;

fn main() {
    let kernel = weld!(macro twice(a) = a + a; |x: f64| twice(x + q) * twice(1.0));
    let _ = kernel;
}
