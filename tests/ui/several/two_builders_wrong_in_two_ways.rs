use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], x: f64| { let a = appender[f64]; let b = merger[f64, +]; let c = merge(a, x); let d = merge(a, x); (result(c), v.map(|y| result(merge(b, y)))) });
    let _ = kernel;
}
