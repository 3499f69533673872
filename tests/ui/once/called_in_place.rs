use weldment::weld;

fn main() {
    let total: f64 = weld!(|v: &[f64]| v.map(|x| x * k).sum())(&[1.0]);
    println!("{}", total.sqrt());
}
