use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| v.filter(|x| x & 1 == 0).count());
    println!("{}", kernel(&[1]));
}
