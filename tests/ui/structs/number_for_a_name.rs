use weldment::{Weld, weld};

#[derive(Clone, Copy, Weld)]
struct Order {
    price: f64,
    quantity: i32,
}

fn main() {
    let kernel = weld!(|orders: &[Order]| orders.map(|o| o.0 * f64(o.1)).sum());
    println!("{}", kernel(&[Order { price: 1.0, quantity: 2 }]));
}
