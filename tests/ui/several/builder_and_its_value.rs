use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i32]| result(for(v, merger[f64, +], |b, i, x| merge(b, x + y))));
    let _ = kernel;
}
