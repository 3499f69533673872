use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(|x| x *).sum());
    let total = kernel(&[1.0]);
    println!("{}", total + 1.0);
    println!("{}", kernel.explain());
}
