use weldment::weld;

fn main() {
    let kernel = weld!(|n: i64| (..n).sum());
    let _ = kernel;
}
