use weldment::weld;

mod shop {
    #[derive(Clone, Copy, weldment::Weld)]
    pub struct Orders<'a> {
        pub price: &'a [f64],
        rate: f64,
    }

    pub fn orders(price: &[f64]) -> Orders<'_> {
        Orders { price, rate: 2.0 }
    }
}

fn main() {
    let sum = weld!(|o: &shop::Orders<'_>| o.price.sum() * o.rate);
    println!("{}", sum(&shop::orders(&[1.0])));
}
