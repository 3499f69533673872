use weldment::{Kernel, Options, weld};

static SCALED: Kernel<fn(&[f64], f64) -> f64> = weld!(|v: &[f64], k| v.map(|x| x * k).sum());

fn main() {
    let scaled = weld!(|v: &[f64], k| -> Vec<f64> { v.map(|x| x * k) });
    let first: f64 = scaled(&[1.0], 2.0)[0];
    let again = scaled.with(&Options::new().threads(1)).call(&[1.0], 2.0);
    println!("{first} {} {}", again.unwrap().len(), SCALED(&[1.0], 2.0));
}
