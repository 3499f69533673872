use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| result(for(v, appender[i64], |b, i, x| { let c = merge(b, x); merge(b, x) })));
    let _ = kernel(&[1]);
}
