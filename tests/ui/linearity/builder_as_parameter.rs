use weldment::weld;

fn main() {
    let kernel = weld!(|b: appender[i64]| result(b));
    let _ = kernel;
}
