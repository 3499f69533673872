use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], scale: f64| v.map(|x| scale(x)).sum());
    let _: f64 = kernel(&[1.0], 2.0);
}
