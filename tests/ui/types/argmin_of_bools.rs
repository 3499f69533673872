use weldment::weld;

fn main() {
    let kernel = weld!(|v: &[bool]| v.argmin());
    let _ = kernel;
}
