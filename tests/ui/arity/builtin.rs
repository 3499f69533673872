use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| len(v, v));
    println!("{}", kernel(&[1.0, 2.0]));
}
