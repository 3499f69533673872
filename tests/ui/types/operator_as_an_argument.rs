use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| x + len(+));
    let _ = kernel;
}
