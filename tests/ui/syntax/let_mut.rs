use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| { let mut total = 0.0; total });
    println!("{}", kernel(&[1.0, 2.0]));
}
