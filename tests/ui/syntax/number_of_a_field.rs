use weldment::weld;

fn main() {
    let kernel = weld!(|p: (f64, f64)| p.0x1);
    let _ = kernel;
}
