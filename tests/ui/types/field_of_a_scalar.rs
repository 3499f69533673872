use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(|p| p.0).sum());
    println!("{}", kernel(&[1.0, 2.0]));
}
