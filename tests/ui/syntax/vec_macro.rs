use weldment::weld;

fn main() {
    let kernel = weld!(|n: f64| vec![n, n].sum());
    println!("{}", kernel(1.0));
}
