use weldment::weld;

fn main() {
    let kernel = weld!(|| 1.5L);
    let _ = kernel;
}
