use weldment::weld;

fn main() {
    let _ = weld! { |a: &Array<f64, 2>| array(domain(a), |i, j| a[i, j, 0] * 2.0) };
    let _ = weld! { |a: &Array<f64, 2>, b: &Array<f64, 1>| a + b };
}
