use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[i64]| v.to_dict());
    let _ = kernel;
}
