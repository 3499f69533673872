use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| result(for(v, appender[i64], |b, i, x| merge(appender[i64], x))));
    let _ = kernel(&[1]);
}
