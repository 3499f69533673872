use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| result(for(v, appender[i64], |b, i, x| x + 1)));
    let _ = kernel(&[1]);
}
