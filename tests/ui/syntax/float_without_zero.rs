use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| x * .5);
    println!("{}", kernel(1.0));
}
