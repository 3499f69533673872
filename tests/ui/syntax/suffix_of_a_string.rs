use weldment::weld;

fn main() {
    let kernel = weld!(|| "a"x);
    let _ = kernel;
}
