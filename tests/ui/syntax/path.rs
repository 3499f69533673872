use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| std::cmp::max(x, 1.0));
    println!("{}", kernel(1.0));
}
