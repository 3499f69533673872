use weldment::weld;

mod model {
    pub struct Order;
}

fn main() {
    let kernel = weld!(|orders: &[model::Order]| len(orders));
    println!("{}", kernel(&[model::Order]));
}
