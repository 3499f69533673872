use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.count());
    let n: usize = kernel(&[1.0]);
    println!("{n}");
}
