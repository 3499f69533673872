use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.windows(2).count());
    println!("{}", kernel(&[1.0, 2.0]));
}
