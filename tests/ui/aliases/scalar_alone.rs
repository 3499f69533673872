use weldment::weld;

fn main() {
    let kernel = weld!(type real = f64; |x: f64| x + real);
    let _ = kernel;
}
