use weldment::weld;

fn main() {
    let kernel = weld!(|v: [f64]| v.sum());
    println!("{}", kernel(&[1.0, 2.0]));
}
