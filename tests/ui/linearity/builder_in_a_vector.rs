use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| [appender[i64]]);
    let _ = kernel;
}
