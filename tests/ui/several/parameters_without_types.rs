use weldment::weld;

fn main() {
    let kernel = weld!(|v, k| v.map(|x| x * k).sum() + missing);
    let _ = kernel;
}
