use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| { let b = appender[f64]; (result(merge(b, x)), result(merge(b, x)), result(merge(b, x))) });
    let _ = kernel;
}
