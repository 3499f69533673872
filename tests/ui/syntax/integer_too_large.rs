use weldment::weld;

fn main() {
    let kernel = weld!(|| 99999999999999999999999999999999999999999);
    let _ = kernel;
}
