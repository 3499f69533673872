use weldment::weld;

fn main() {
    let _ = weld! { |u: &Array<f64, 1>, k: i64| u.stencil(|c| c[k]) };
    let _ = weld! { |u: &Array<f64, 2>| u.stencil(clamp, |c| c[1]) };
}
