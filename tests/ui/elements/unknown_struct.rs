use weldment::weld;

fn main() {
    let kernel = weld!(|orders: &[Order]| orders.map(|o| o.price).sum());
    let _ = kernel;
}
