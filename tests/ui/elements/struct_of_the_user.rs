use weldment::weld;

struct Order {
    price: f64,
    quantity: i32,
}

fn main() {
    let kernel = weld!(|orders: &[Order]| orders.map(|o| o.0).sum());
    println!("{}", kernel(&[Order { price: 1.0, quantity: 2 }]));
}
