use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| result(for(v, appender[i64], |b, i, x| if x > 0 { merge(b, x) } else { appender[i64] })));
    let _ = kernel(&[1]);
}
