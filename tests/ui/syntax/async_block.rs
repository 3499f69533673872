use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| async { x });
    println!("{}", kernel(1.0));
}
