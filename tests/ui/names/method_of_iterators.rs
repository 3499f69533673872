use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], n: i64| v.iter().take(n).sum());
    println!("{}", kernel(&[1.0, 2.0], 1));
}
