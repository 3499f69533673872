use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| { let w = v.map(|x| x + 1.0); w.map(|y| y * x).sum() });
    println!("{}", kernel(&[1.0, 2.0]));
}
