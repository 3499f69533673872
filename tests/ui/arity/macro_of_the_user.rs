use weldment::weld;

fn main() {
    let kernel = weld!(macro add(a, b) = a + b; |x: f64| add(x));
    println!("{}", kernel(1.0));
}
