use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.sum());
    println!("{}", kernel(vec![1.0]));
}
