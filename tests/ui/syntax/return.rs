use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| { return x; });
    println!("{}", kernel(1.0));
}
