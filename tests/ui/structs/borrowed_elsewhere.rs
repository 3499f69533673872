use weldment::{Weld, weld};

#[derive(Clone, Copy, Weld)]
struct Orders<'a> {
    price: &'a [f64],
    rate: f64,
}

#[derive(Clone, Copy, Weld)]
struct Rates {
    rate: f64,
}

#[derive(Weld)]
struct Book<'a> {
    orders: Orders<'a>,
}

fn main() {
    let several = weld!(|all: &[Orders]| all.map(|o| o.rate).sum());
    let back = weld!(|o: &Orders<'_>, k: f64| if k > 0.0 { (o, k) } else { (o, -k) });
    let rows = weld!(|r: Rates| r.rows().len());
    let field = weld!(|o: &Orders<'_>| o.prise.sum());
    let orders = Orders { price: &[1.0], rate: 2.0 };
    println!("{} {}", several(&[orders]), rows(Rates { rate: 1.0 }));
    println!("{:?} {}", back(&orders, 1.0), field(&orders));
}
