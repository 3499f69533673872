use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i32]| v.map(|x| x + 3000000000).sum());
    println!("{}", kernel(&[1]));
}
