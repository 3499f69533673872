use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| (merge(appender, 1), merge(merger[_,+], 2), appender[_], x));
    let _ = kernel;
}
