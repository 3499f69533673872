use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], n: i64| v[n as usize]);
    println!("{}", kernel(&[1.0], 0));
}
