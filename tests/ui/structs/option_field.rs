use weldment::Weld;

#[derive(Weld)]
struct Order {
    price: Vec<Option<f64>>,
}

fn main() {
    println!("{}", Order { price: vec![] }.price.len());
}
