use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| x.ln());
    println!("{}", kernel(1.0));
}
