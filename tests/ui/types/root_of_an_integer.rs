use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| v.map(|x| sqrt(x)).sum());
    println!("{}", kernel(&[4]));
}
