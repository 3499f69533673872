use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| macro twice(a) = a + a; twice(x));
    let _ = kernel;
}
