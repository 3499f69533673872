use weldment::weld;

fn main() {
    let kernel = weld!(|n: i64| if n { 1 } else { 2 });
    println!("{}", kernel(1));
}
