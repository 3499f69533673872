use weldment::welded;

#[welded(for(i32, i64))]
fn total<T: Number>(v: &[T]) -> T {
    v.sum()
}

#[welded(for(f32, i32))]
fn norm<T: Float>(v: &[T]) -> T {
    v.sum().sqrt()
}

#[welded(for(u8))]
fn raised<T: Int>(v: &[T]) -> Vec<T> {
    v.map(|x| x + 300)
}

#[welded(for(i64))]
fn scaled(v: &[f64]) -> f64 {
    v.sum()
}

fn main() {
    total(&[0.5, 1.0]);
    total(&[1, 2]);
}
