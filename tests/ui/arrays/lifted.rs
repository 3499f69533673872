use weldment::weld;

fn main() {
    let _ = weld! { |u: &Array<f64, 2>| u.stencil(|c| lift(|x| x.scan(0, 0.0, |s, y| s + y), c)[1, 0]) };
}
