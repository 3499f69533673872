use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| x as bool);
    println!("{}", kernel(1.0));
}
