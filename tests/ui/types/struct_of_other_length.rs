use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[(f64, f64, f64)]| v.map(|(x, y)| x * y).sum());
    println!("{}", kernel(&[(1.0, 2.0, 3.0)]));
}
