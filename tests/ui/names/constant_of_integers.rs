use weldment::weld;

fn main() {
    let kernel = weld!(|x: i64| x + i64::PI);
    let _ = kernel;
}
