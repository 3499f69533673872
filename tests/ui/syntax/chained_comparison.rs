use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.filter(|x| 0.0 < x < 1.0).count());
    println!("{}", kernel(&[1.0, 2.0]));
}
