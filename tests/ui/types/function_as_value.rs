use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| { let f = |x| x + 1.0; v.map(f).sum() });
    println!("{}", kernel(&[1.0, 2.0]));
}
