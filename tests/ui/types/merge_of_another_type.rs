use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i32]| result(for(v, merger[i64, +], |b, i, x| merge(b, x))));
    println!("{}", kernel(&[1]));
}
