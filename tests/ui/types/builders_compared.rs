use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| appender[f64] == appender[f64]);
    let _ = kernel;
}
