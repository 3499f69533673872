use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| for(v, appender[i64], |b, i, x| merge(b, x)));
    let _ = kernel(&[1]);
}
