use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], n: f64| slice(v, 0, n));
    println!("{:?}", kernel(&[1.0, 2.0], 1.0));
}
