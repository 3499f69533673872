use weldment::weld;

fn main() {
    let kernel = weld!(|price: &[f64], discount: &[f64]| zip(price, discont).map(|(p, d)| p * d).sum());
    let _: f64 = kernel(&[1.0], &[2.0]);
}
