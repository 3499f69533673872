use weldment::weld;

fn main() {
    let sums = weld!(#[expect(loops = 1)] |rows: &[Vec<f64>]| rows.map(|row| row.map(|x| x * 2.0).sum()));
    let _: Vec<f64> = sums(&[vec![1.0]]);
}
