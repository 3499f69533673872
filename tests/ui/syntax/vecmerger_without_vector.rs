use weldment::weld;

fn main() {
    let kernel = weld!(|| result(vecmerger[i64, +]));
    let _ = kernel;
}
