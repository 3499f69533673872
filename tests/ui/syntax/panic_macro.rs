use weldment::weld;

fn main() {
    let kernel = weld!(|x: f64| if x > 0.0 { x } else { panic!() });
    let _ = kernel;
}
