use weldment::weld;

fn main() {
    let kernel = weld!(|{a, b}: (f64, f64)| a);
    let _ = kernel;
}
