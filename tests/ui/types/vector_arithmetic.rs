use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], w: &[f64]| (v * w).sum());
    println!("{}", kernel(&[1.0], &[2.0]));
}
