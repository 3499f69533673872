use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], k: f64| v.map(|x| x * k).sum());
    println!("{}", kernel(&[1.0], 2));
}
