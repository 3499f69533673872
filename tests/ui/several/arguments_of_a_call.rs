use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[f64], d: &Dict<i64, f64>| keyexists(v, 1L) && keyexists(d, 1.5));
    let _ = kernel;
}
