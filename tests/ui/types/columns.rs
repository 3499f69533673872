use weldment::{Nullable, Strings, Weld, weld};

#[derive(Clone, Weld)]
struct Sales<'a> {
    name: Strings<'a>,
    price: &'a [f64],
}

fn main() {
    weld!(|rows: &Nullable<Vec<i64>>| rows.len());
    weld!(|rows: &(Strings, i64)| rows.0.len());
    weld!(|names: &[&str]| -> Vec<Strings> { [names] });
    weld!(|names: &Nullable<str>| names.len());
    let lengths = weld!(|names: &Strings, prices: &Nullable<f64>| (names.len(), prices.len()));
    lengths(&vec!["elm".to_owned()], &[0.5]);
    let wrong = weld!(|prices: &Nullable<f64>| prices.sum());
    wrong(&Nullable::from(&[0.5, 1.5]));
}
