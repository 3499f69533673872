use weldment::weld;

fn main() {
    let kernel = weld!(|rows: &[(f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64)]| len(rows));
    let _ = kernel;
}
