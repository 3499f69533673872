use weldment::weld;

fn main() {
    let kernel = weld!(|n: i64| iterate((appender[i64], 0), |s| ((merge(s.0, s.1), s.1 + 1), s.1 < n)).1);
    let _ = kernel(1);
}
