//! The queries as plain iterator chains: what a Rust user would write without a second thought.

use std::collections::HashMap;

use super::answers::{Q1, Q1Sums};
use super::data::Lineitem;

pub(crate) fn q6(t: &Lineitem) -> f64 {
    t.extendedprice
        .iter()
        .zip(&t.discount)
        .zip(&t.quantity)
        .zip(&t.shipdate)
        .filter(|(((_, discount), quantity), ship)| {
            (8766..9131).contains(*ship) && (0.05..=0.07).contains(*discount) && **quantity < 24.0
        })
        .map(|(((price, discount), _), _)| price * discount)
        .sum()
}

pub(crate) fn q1(t: &Lineitem) -> Q1 {
    let mut groups: HashMap<(u8, u8), Q1Sums> = HashMap::new();
    t.returnflag
        .iter()
        .zip(&t.linestatus)
        .zip(&t.quantity)
        .zip(&t.extendedprice)
        .zip(&t.discount)
        .zip(&t.tax)
        .zip(&t.shipdate)
        .filter(|(_, ship)| **ship <= 10471)
        .for_each(|((((((flag, status), quantity), price), discount), tax), _)| {
            let sums = groups.entry((*flag, *status)).or_default();
            sums.0 += quantity;
            sums.1 += price;
            sums.2 += price * (1.0 - discount);
            sums.3 += price * (1.0 - discount) * (1.0 + tax);
            sums.4 += discount;
            sums.5 += 1;
        });
    groups.into_iter().collect()
}
