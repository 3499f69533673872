use weldment::weld;

fn main() {
    let kernel = weld!(
        |v: &[i64], keep: bool| {
            let b = for(v, appender[i64], |b, i, x| merge(b, x));
            if keep { result(b) } else { [0L] }
        }
    );
    let _ = kernel(&[1], true);
}
