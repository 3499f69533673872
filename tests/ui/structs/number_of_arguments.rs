use weldment::{Weld, weld};

#[derive(Clone, Copy, Weld)]
struct Pair<T> {
    left: T,
    right: T,
}

fn main() {
    let kernel = weld!(|p: &[Pair]| p.map(|p| p.left * p.right).sum());
    println!("{}", kernel(&[Pair { left: 1.0, right: 2.0 }]));
}
