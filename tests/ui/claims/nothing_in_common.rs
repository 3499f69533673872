use weldment::weld;

fn main() {
    let sums = weld!(#[expect(loops = 1)] |v: &[f64], w: &[f64]| (v.sum(), w.sum()));
    let _: (f64, f64) = sums(&[1.0], &[2.0]);
}
