use weldment::{Weld, weld};

#[derive(Clone, Copy, Weld)]
struct Eight<T>(T, T, T, T, T, T, T, T);

fn main() {
    let kernel = weld!(|rows: &[Eight<Eight<Eight<Eight<i64>>>>]| rows.count());
    let _ = kernel;
}
