use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(|x| x * k).sum());
    let total = kernel(&[1.0]);
    println!("{}", total.sqrt());
    let again = kernel.try_call(&[1.0]).unwrap();
    println!("{}", again + 1.0);
}
