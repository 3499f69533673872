use weldment::weld;

fn main() {
    let kernel = weld!(|x: q| x + q + q());
    let _ = kernel;
}
