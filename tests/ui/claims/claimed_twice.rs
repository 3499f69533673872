use weldment::weld;

fn main() {
    let squares = weld!(#[expect(loops = 1)] #[expect(materialized = 0, loops = 1)] |v: &[f64]| v.map(|x| x * x).sum());
    let _: f64 = squares(&[1.0]);
}
