use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| for(v, merger[f64, +]));
    println!("{}", kernel(&[1.0, 2.0]));
}
