use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| x.pow());
    println!("{}", kernel(1.0));
}
