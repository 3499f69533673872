use weldment::weld;

fn main() {
    let kernel = weld!(type tree = {i64, vec[tree]}; |t: tree| t.0);
    let _ = kernel;
}
