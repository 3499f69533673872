use weldment::weld;

fn main() {
    let kernel = weld!(
        |v: &[i64]| {
            let outer = appender[i64];
            let sum = result(for(v, merger[i64, +], |b, i, x| { let c = merge(outer, x); merge(b, x) }));
            (sum, result(outer))
        }
    );
    let _ = kernel(&[1]);
}
