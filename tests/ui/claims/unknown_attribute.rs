use weldment::weld;

fn main() {
    let squares = weld!(#[expects(loops = 1)] |v: &[f64]| v.map(|x| x * x).sum());
    let _: f64 = squares(&[1.0]);
    let squares = weld!(#[inline] |v: &[f64]| v.map(|x| x * x).sum());
    let _: f64 = squares(&[1.0]);
}
