use weldment::weld;

fn main() {
    let kernel = weld!(|a: &[i32], b: &[i64]| zip(a, b).map(|(x, y)| x + y).sum());
    println!("{}", kernel(&[1], &[2]));
}
