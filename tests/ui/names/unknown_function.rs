use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| summ(v));
    println!("{}", kernel(&[1.0, 2.0]));
}
