use weldment::weld;

fn main() {
    let kernel = weld!(|x: i64, y: i64| if x && y { 1L } else { 0L });
    let _ = kernel;
}
