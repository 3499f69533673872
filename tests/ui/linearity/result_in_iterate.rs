use weldment::weld;

fn main() {
    let kernel = weld!(|n: i64| iterate((appender[i64], 0), |s| {
        let all = result(merge(s.0, s.1));
        ((appender[i64], len(all)), len(all) < n)
    }).1);
    let _ = kernel(1);
}
