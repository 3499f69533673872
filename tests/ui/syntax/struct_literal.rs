use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| Point { x: x, y: x });
    println!("{}", kernel(1.0));
}
