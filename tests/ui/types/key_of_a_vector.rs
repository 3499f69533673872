use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| keyexists(v, 3L));
    let _ = kernel;
}
