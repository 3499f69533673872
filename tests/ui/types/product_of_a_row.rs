use weldment::weld;

fn main() {
    let kernel = weld!(|rows: &[Vec<f64>]| rows.map(|r| r * 2.0));
    let _ = kernel;
}
