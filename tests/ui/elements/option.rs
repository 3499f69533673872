use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[Option<f64>]| len(v));
    println!("{}", kernel(&[Some(1.0)]));
}
