use weldment::weld;

fn main() {
    let kernel = weld!(|x: i8, y: f64| (x + 1000, y + 1, -y & y));
    let _ = kernel;
}
