use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], i: f64| v[i]);
    println!("{}", kernel(&[1.0], 0.0));
}
