use weldment::weld;

fn main() {
    let _ = weld! { |a: &Array<f64, 1>| array(domain(a), |i| a[i + 1] - a[i]) };
}
