use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64; 3]| v.sum());
    println!("{}", kernel(&[1.0; 3]));
}
