use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| result(for(v, appender[i64], |b, i, x| { let w = result(b); merge(appender[i64], len(w)) })));
    let _ = kernel;
}
