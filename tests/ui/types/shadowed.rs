use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| { let v = v.sum(); v.map(|x| x) });
    let _ = kernel(&[1.0]);
}
