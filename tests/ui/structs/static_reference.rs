use weldment::Weld;

#[derive(Weld)]
struct Order {
    prices: &'static [f64],
}

fn main() {
    println!("{}", Order { prices: &[1.0] }.prices.len());
}
