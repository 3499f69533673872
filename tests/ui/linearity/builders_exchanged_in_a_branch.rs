use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| { let p = (appender[f64], appender[f64]); let (a, b) = p; let (c, d) = if x > 0.0 { (a, b) } else { (b, a) }; (result(c), result(d)) });
    let _ = kernel;
}
