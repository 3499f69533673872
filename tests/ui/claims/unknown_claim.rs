use weldment::weld;

fn main() {
    let squares = weld!(#[expect(loops = 1, materialised = 0)] |v: &[f64]| v.map(|x| x * x).sum());
    let _: f64 = squares(&[1.0]);
    let squares = weld!(#[warn(loops)] |v: &[f64]| v.map(|x| x * x).sum());
    let _: f64 = squares(&[1.0]);
}
