use weldment::weld;

fn main() {
    let kernel = weld!(type pair = {i64, other}; type other = vec[pair]; |x: i64| x);
    let _ = kernel;
}
