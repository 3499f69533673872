use weldment::Weld;

#[derive(Weld)]
struct Order {
    name: String,
    price: f64,
}

fn main() {
    println!("{}", Order { name: String::new(), price: 1.0 }.price);
}
