use weldment::weld;

fn main() {
    let kernel = weld!(type index = i32; |x: i32| x + index::PI);
    let _ = kernel;
}
