use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64 y: f64| x + y);
    println!("{}", kernel(1.0, 2.0));
}
