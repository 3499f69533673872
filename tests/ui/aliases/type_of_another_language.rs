use weldment::weld;

fn main() {
    let kernel = weld!(|n: int, x: double| x);
    let _ = kernel;
}
