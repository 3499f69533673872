use weldment::weld;

fn main() {
    let k = 2.0;
    let kernel = weld!(move |v: &[f64]| v.map(|x| x * k).sum());
    let _ = (kernel, k);
}
