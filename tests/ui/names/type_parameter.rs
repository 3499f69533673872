use weldment::weld;

fn sum<T: Copy>(v: &[T]) -> usize {
    let kernel = weld!(|v: &[T]| v.sum());
    let _ = kernel;
    v.len()
}

fn main() {
    println!("{}", sum(&[1.0]));
}
