use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| sqrt(x, x));
    println!("{}", kernel(1.0));
}
