use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(|x| x * k + k - k / k).sum() + k);
    let _ = kernel;
}
