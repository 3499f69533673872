use weldment::weld;

fn main() {
    let _ = weld! { |a: &Array<f64; 3>, b: &Array<f64; 4>| a * b };
}
