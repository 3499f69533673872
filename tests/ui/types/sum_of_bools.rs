use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(|x| x > 0.0).sum());
    println!("{}", kernel(&[1.0, 2.0]));
}
