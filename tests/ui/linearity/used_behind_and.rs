use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| { let b = appender[f64]; x > 0.0 && len(result(b)) == 0L });
    let _ = kernel;
}
