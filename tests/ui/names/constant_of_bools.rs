use weldment::weld;

fn main() {
    let kernel = weld!(|x: bool| x == bool::MAX);
    let _ = kernel;
}
