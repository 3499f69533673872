use weldment::weld;

macro_rules! Order {
    (@weld [$($back:tt)*] $($question:tt)*) => {
        $($back)* ! { @layout { price } $($question)* }
    };
}

fn main() {
    let kernel = weld!(|orders: &[Order]| orders.map(|o| o.price).sum());
    println!("{}", kernel(&[1.0]));
}
