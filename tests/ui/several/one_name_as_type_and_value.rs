use weldment::weld;

fn main() {
    let kernel = weld!(|x: f9| x + f9 + f9());
    let _ = kernel;
}
