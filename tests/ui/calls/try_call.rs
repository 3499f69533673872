use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.sum());
    let sum: f64 = kernel.try_call(&[1.0]);
    println!("{sum}");
}
