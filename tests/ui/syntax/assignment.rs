use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| { let total = 0.0; total = 1.0; total });
    println!("{}", kernel(&[1.0, 2.0]));
}
