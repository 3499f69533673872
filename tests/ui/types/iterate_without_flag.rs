use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| iterate(x, |s| s * 0.5));
    println!("{}", kernel(1.0));
}
