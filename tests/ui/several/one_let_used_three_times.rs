use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], n: i64| { let mean = v.sum() / n; v.map(|x| (x - mean) * (x - mean)).sum() / mean });
    let _ = kernel;
}
