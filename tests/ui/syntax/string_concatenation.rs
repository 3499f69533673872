use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| x.to_string());
    println!("{}", kernel(1.0));
}
