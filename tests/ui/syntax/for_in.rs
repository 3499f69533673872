use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| { let s = 0.0; for x in v { s + x } });
    println!("{}", kernel(&[1.0, 2.0]));
}
