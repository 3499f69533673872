use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| #[inline] x);
    let _ = kernel;
}
