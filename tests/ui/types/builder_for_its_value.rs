use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], c: bool| if c { v } else { merge(appender[f64], 1.0) });
    let _ = kernel;
}
