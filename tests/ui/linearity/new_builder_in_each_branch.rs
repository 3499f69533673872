use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| result(if x > 0.0 { merge(appender[f64], x) } else { appender[f64] }));
    let _ = kernel;
}
