use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| { let a = merge(appender[f64], x); let b = merge(appender[f64], x); x });
    let _ = kernel;
}
