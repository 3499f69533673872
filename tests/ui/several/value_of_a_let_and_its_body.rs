use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], n: i64| { let mean = v.sum() / n; let top = v.map(|x| x > mean).sum(); mean - top });
    let _ = kernel;
}
