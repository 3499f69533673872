use weldment::weld;

fn main() {
    let kernel = weld!(|rows: &[Vec<f64>]| rows.sum());
    let _ = kernel;
}
