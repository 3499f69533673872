use weldment::weld;

fn main() {
    let kernel = weld!(
        |v: &[i64]| {
            let evens = for(v, appender[i64], |b, i, x| merge(b, x));
            len(v)
        }
    );
    println!("{}", kernel(&[1]));
}
