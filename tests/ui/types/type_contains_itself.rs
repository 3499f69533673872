use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(|x| { let a = []; [a, [a]] }));
    let _ = kernel;
}
