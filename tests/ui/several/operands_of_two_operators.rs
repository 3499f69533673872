use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], n: i64, s: &[i32]| (v.sum() / n, s.filter(|x| x).count()));
    let _ = kernel;
}
