use weldment::weld;

fn main() {
    let _ = weld! { |a: &Array<f64, 1>| a.reference(|i, j| i + j) };
    let _ = weld! { |a: &Array<f64, 2>, n: i64| a.reference(|i, j| (i * n, j / 2)) };
}
