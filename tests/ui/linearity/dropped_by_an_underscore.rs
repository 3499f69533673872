use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| { let _ = appender[i64]; len(v) });
    println!("{}", kernel(&[1]));
}
