use weldment::weld;

fn main() {
    let kernel = weld!(|| result(merger[f64]));
    let _ = kernel;
}
