use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[bool], w: &[bool]| zip(v, w).filter(|(a, b)| a < b).count());
    println!("{}", kernel(&[true], &[false]));
}
