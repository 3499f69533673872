use weldment::weld;

fn main() {
    let kernel = weld!(|n: i64| result(iterate(appender[i64], |b| { merge(b, 1L), false })));
    let _ = kernel(1);
}
