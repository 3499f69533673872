use weldment::weld;

macro_rules! Order {
    (@weld1 [$($told:tt)*] [{ $($next:tt)* } $($more:tt)*] $($rest:tt)*) => {
        $($next)* ! { @weld1 [$($told)* { price }] [$($more)*] $($rest)* }
    };
}

fn main() {
    let kernel = weld!(|orders: &[Order]| orders.map(|o| o.price).sum());
    println!("{}", kernel(&[1.0]));
}
