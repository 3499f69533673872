use weldment::weld;

fn main() {
    let first = weld!(|v: &[f64]| v.smu());
    let second = weld!(|v: &[f64]| v.summ());
    println!("{} {}", first(&[1.0]), second(&[1.0]));
}
