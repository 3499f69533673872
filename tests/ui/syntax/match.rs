use weldment::weld;

fn main() {
    let kernel = weld!(|x: i64| match x { 0 => 1, _ => 2 });
    println!("{}", kernel(1));
}
