use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(|x| 1 - x).sum());
    println!("{}", kernel(&[1.0, 2.0]));
}
