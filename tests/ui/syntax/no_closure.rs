use weldment::weld;

fn main() {
    let kernel = weld!(1 + 2);
    let _ = kernel;
}
