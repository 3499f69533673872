use weldment::weld;

fn main() {
    let kernel = weld!();
    let _ = kernel;
}
