use weldment::weld;

fn main() {
    let squares = weld!(#[expect(loops = one)] |v: &[f64]| v.map(|x| x * x).sum());
    let _: f64 = squares(&[1.0]);
    let squares = weld!(#[expect(loops = -1)] |v: &[f64]| v.map(|x| x * x).sum());
    let _: f64 = squares(&[1.0]);
    let squares = weld!(#[expect(loops)] |v: &[f64]| v.map(|x| x * x).sum());
    let _: f64 = squares(&[1.0]);
}
