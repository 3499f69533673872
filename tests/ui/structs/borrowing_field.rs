use weldment::Weld;

#[derive(Weld)]
struct Order<'a> {
    prices: &'a [f64],
}

fn main() {
    println!("{}", Order { prices: &[1.0] }.prices.len());
}
