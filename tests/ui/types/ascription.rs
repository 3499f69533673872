use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i32]| { let n: i64 = v.sum(); n });
    println!("{}", kernel(&[1]));
}
