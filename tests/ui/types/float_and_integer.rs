use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], n: i64| v.sum() / n);
    println!("{}", kernel(&[1.0], 2));
}
