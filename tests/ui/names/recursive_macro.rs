use weldment::weld;

fn main() {
    let kernel = weld!(macro twice(x) = twice(x + x); |v: &[f64]| v.map(|x| twice(x)).sum());
    println!("{}", kernel(&[1.0, 2.0]));
}
