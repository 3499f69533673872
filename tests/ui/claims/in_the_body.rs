use weldment::weld;

fn main() {
    let squares = weld!(|v: &[f64]| #[expect(loops = 1)] v.map(|x| x * x).sum());
    let _: f64 = squares(&[1.0]);
}
