use weldment::weld;

fn main() {
    let kernel = weld!(macro m(x) = x; macro m(x) = x + x; |v: &[f64]| v.map(|x| m(x)).sum());
    println!("{}", kernel(&[1.0, 2.0]));
}
