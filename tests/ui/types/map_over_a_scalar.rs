use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| x.map(|y| y * 2.0).sum());
    println!("{}", kernel(1.0));
}
