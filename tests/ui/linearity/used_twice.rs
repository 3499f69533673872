use weldment::weld;

fn main() {
    let kernel = weld!(
        |v: &[i64]| {
            let b = for(v, appender[i64], |b, i, x| merge(b, x));
            (result(b), result(b))
        }
    );
    let _ = kernel(&[1]);
}
