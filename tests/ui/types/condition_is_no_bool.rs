use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| v.filter(|x| x).count());
    println!("{}", kernel(&[1]));
}
