use weldment::weld;

fn main() {
    let kernel = weld!(|| c"text");
    let _ = kernel;
}
