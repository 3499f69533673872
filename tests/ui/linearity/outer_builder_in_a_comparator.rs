use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| { let b = merger[i32, +]; sort(v, |x, y| result(merge(b, 1))) });
    let _ = kernel;
}
