use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f32], w: &[f64]| { let half = 0.5; (v.map(|x| x * half), w.map(|y| y * half)) });
    let _ = kernel;
}
