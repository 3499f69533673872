use weldment::weld;

fn main() {
    let kernel = weld!(|d: &Dict<i64, f64>, c: bool| if c { d } else { tovec(d) });
    let _ = kernel;
}
