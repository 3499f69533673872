use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| { let b = appender[f64]; let c = merge(b, x); let d = merge(b, q); result(d) });
    let _ = kernel;
}
