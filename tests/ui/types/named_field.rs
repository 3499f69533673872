use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[(i64, f64)]| v.map(|p| p.price).sum());
    println!("{}", kernel(&[(1, 2.0)]));
}
