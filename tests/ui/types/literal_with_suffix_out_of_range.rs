use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[u8]| v.filter(|x| x < 256u8).count());
    println!("{}", kernel(&[1]));
}
