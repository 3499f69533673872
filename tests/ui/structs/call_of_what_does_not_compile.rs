use weldment::{Weld, weld};

#[derive(Clone, Copy, Weld)]
struct Order(f64);

fn main() {
    let kernel = weld!(|orders: &[Order], k: f64| orders.map(|o| o.0 * j).sum());
    let total: f64 = kernel(&[Order(1.0)], 2.0);
    println!("{}", total.sqrt());
}
