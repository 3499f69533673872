use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64]| result(for(v, merger[f64, +], |b, x| merge(b, x))));
    println!("{}", kernel(&[1.0, 2.0]));
}
