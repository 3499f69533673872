use weldment::weld;

fn main() {
    let kernel = weld!(|n: i64| loop { n });
    println!("{}", kernel(1));
}
