use weldment::weld;

fn main() {
    let kernel = weld!(|v: vec[f64], n: i64, p: {i64, f64}| {sum(v) / n, v + p});
    let _ = kernel;
}
