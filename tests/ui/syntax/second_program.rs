use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| x; |y: f64| y);
    println!("{}", kernel(1.0));
}
