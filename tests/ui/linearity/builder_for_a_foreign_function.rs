use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| cudf[norm, f64](merge(appender[f64], x)));
    let _ = kernel;
}
