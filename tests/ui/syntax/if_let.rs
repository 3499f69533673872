use weldment::weld;

fn main() {
    let kernel = weld!(|d: &Dict<i64, f64>| if let Some(x) = optlookup(d, 1) { x } else { 0.0 });
    let _ = kernel;
}
