use weldment::weld;

fn main() {
    let kernel = weld!(|n: i64| [0.0; 3]);
    let _ = kernel;
}
