use weldment::weld;

fn main() {
    let kernel = weld!(|n: i64| (0L..n..n).sum());
    let _ = kernel;
}
