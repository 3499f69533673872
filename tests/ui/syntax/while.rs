use weldment::weld;

fn main() {
    let kernel = weld!(|n: i64| while n > 0 { n - 1 });
    println!("{}", kernel(1));
}
