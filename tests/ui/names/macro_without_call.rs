use weldment::weld;

fn main() {
    let kernel = weld!(macro square(x) = x * x; |v: &[f64]| v.map(|x| x + square).sum());
    println!("{}", kernel(&[1.0, 2.0]));
}
