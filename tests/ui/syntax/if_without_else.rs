use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(|x| if x > 0.0 { x }).sum());
    println!("{}", kernel(&[1.0, 2.0]));
}
