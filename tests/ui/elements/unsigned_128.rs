use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[u128]| v.sum());
    println!("{}", kernel(&[1]));
}
