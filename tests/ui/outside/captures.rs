//! What is captured and is not of the type that the program wants, or cannot be captured: rustc and we say it at the capture.

use weldment::weld;

struct Model {
    k: f64,
}

impl Model {
    fn scaled(&self, x: f64) -> f64 {
        weld!([self.k] |x: f64| x * k)(x)
    }
}

fn main() {
    let k = 3.0f32;
    let w = vec![1.0f32];
    let name = String::new();
    let narrow = weld!([k] |v: &[f64]| v.map(|x| x * k).sum());
    let of_floats = weld!([&w] |v: &[f64]| zip(v, w).map(|(x, y)| x * y).sum());
    let owned = weld!([w] |v: &[f32]| zip(v, w).map(|(x, y)| x * y).sum());
    let text = weld!([name] |v: f64| v + name);
    let unused = weld!([k] |v: &[f64]| v.sum());
    let mistaken = weld!([k] |v: &[f32]| v.map(|x| x * k + frob).sum());
    let total: f32 = mistaken(&[1.0]);
    let moved = weld!(move |x: f32| x * k);
}
