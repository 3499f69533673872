use weldment::weld;

fn main() {
    let kernel = weld!(|x0: f64, x1: f64, x2: f64, x3: f64, x4: f64, x5: f64, x6: f64, x7: f64, x8: f64, x9: f64, x10: f64, x11: f64, x12: f64, x13: f64, x14: f64, x15: f64, x16: f64, x17: f64, x18: f64, x19: f64, x20: f64, x21: f64, x22: f64, x23: f64, x24: f64| x0);
    let _ = kernel;
}
