use weldment::weld;

fn main() {
    let squares = weld!(#[expect] |v: &[f64]| v.map(|x| x * x).sum());
    let _: f64 = squares(&[1.0]);
    let squares = weld!(#[warn()] |v: &[f64]| v.map(|x| x * x).sum());
    let _: f64 = squares(&[1.0]);
}
