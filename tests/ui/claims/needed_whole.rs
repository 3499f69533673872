use weldment::{Weld, weld};

#[derive(Clone, Copy, Weld)]
struct Order {
    price: f64,
    quantity: f64,
}

fn main() {
    let costliest = weld!(
        #[expect(materialized = 0)]
        |orders: &[Order]| orders.map(|o| o.price * o.quantity).sort_by_key(|x| -x)[0]
    );
    let _: f64 = costliest(&[Order { price: 1.0, quantity: 2.0 }]);
}
