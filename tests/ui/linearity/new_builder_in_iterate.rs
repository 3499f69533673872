use weldment::weld;

fn main() {
    let kernel = weld!(|n: i64| {
        let end = iterate((appender[i64], 0), |s| ((merge(appender[i64], s.1), s.1 + 1), s.1 < n));
        result(end.0)
    });
    let _ = kernel(1);
}
