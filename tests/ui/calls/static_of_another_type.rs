use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.sum());
    let typed: weldment::Kernel<fn(&[f32]) -> f32> = kernel;
    let _ = typed;
}
