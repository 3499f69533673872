use weldment::weld;

fn main() {
    let kernel = weld!(|len: i64| len + 1);
    println!("{}", kernel(1));
}
