use weldment::weld;

fn main() {
    let kernel = weld!(|n: i64| {
        let b = appender[i64];
        let other = appender[i64];
        result(iterate((b, 0), |s| ((merge(other, s.1), s.1 + 1), s.1 < n)).0)
    });
    let _ = kernel(1);
}
