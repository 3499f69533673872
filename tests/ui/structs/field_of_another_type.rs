use weldment::{Weld, weld};

#[derive(Clone, Copy, Weld)]
struct Order {
    price: f64,
    quantity: i32,
}

fn main() {
    let kernel = weld!(|o: &[Order]| o.map(|o| Order { price: o.quantity, ..o }));
    println!("{}", kernel(&[Order { price: 1.0, quantity: 2 }]).len());
}
