use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], n: usize| v[n]);
    println!("{}", kernel(&[1.0], 0));
}
