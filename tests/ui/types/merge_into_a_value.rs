use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i32]| result(for(v, 0, |b, i, x| merge(b, x))));
    println!("{}", kernel(&[1]));
}
