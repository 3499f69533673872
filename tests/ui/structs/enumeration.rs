use weldment::Weld;

#[derive(Weld)]
enum Side {
    Buy,
    Sell,
}

fn main() {
    let _ = (Side::Buy, Side::Sell);
}
