use weldment::weld;

fn main() {
    let kernel = weld!(|| 0b1f32);
    let _ = kernel;
}
