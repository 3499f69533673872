use weldment::weld;

struct Order {
    price: f64,
}

fn main() {
    let kernel = weld!(|orders: &[Order]| orders.map(|o| o.price).sum());
    println!("{}", kernel(&[Order { price: 1.0 }]));
}
