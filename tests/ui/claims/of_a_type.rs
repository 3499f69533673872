use weldment::weld;

fn main() {
    let squares = weld!(#[expect(loops = 1)] type floats = vec[f64]; |v: floats| v.map(|x| x * x).sum());
    let _ = squares(&[1.0]);
}
