use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[u8]| v.filter(|x| x > -1).count());
    println!("{}", kernel(&[1]));
}
