use weldment::weld;

fn main() {
    let kernel = weld!(|v, k: f64| v.map(|x| x * k).sum());
    println!("{}", kernel(&[1.0], 2.0));
}
