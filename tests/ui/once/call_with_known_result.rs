use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| -> f64 v.map(|x| x * k).sum());
    let total: f64 = kernel(&[1.0]);
    println!("{}", total.sqrt());
}
