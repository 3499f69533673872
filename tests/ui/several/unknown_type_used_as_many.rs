use weldment::weld;

fn main() {
    let kernel = weld!(|orders: &[f65], more: &[f65], k: f64| orders.map(|o| o.0 * q).sum() + more.map(|o| o.1 & k).sum());
    let _ = kernel;
}
