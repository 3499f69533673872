use weldment::{Kernel, weld};

struct Order {
    price: f64,
}

static TOTAL: Kernel<fn(&[f64]) -> f64> = weld!(|orders: &[Order]| orders.map(|o| o.price).sum());

fn main() {
    let total = weld!(|orders: &[Order]| -> f64 { orders.map(|o| o.0).sum() });
    println!("{} {}", total(&[Order { price: 1.0 }]).sqrt(), TOTAL(&[1.0]));
}
