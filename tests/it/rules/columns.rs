//! Structs that borrow their columns: parameters that are read where they lie, and the rows of structs of columns.

use weldment::{Date, Dict, Fault as AnyFault, FaultKind, Options, Weld};

use super::rule;
use crate::pairs::Outcome::Fault;

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Item {
    kind: u8,
    weight: f32,
}

#[derive(Clone, Debug, Weld)]
struct Sales<'a> {
    shop: &'a str,
    day: &'a [Date],
    price: &'a [f64],
    item: &'a [Item],
    name: &'a [String],
    rate: f64,
    own: Vec<i64>,
}

/// Columns without names, of any type.
#[derive(Clone, Copy, Debug, Weld)]
struct Two<'x, 'y, T>(&'x [T], &'y [(T, bool)], usize);

/// One that owns its columns.
#[derive(Clone, Debug, PartialEq, Weld)]
struct Owned {
    x: Vec<f64>,
    k: f64,
    y: Vec<i32>,
}

/// All that [`Sales`] borrow.
struct Store {
    day: Vec<Date>,
    price: Vec<f64>,
    item: Vec<Item>,
    name: Vec<String>,
}

impl Store {
    fn of(count: i32) -> Store {
        let item = |n: i32| Item { kind: (n % 5) as u8, weight: n as f32 * 0.5 };
        Store {
            day: (0..count).map(|n| Date(n / 7)).collect(),
            price: (0..count).map(|n| f64::from(n * 37 % 101)).collect(),
            item: (0..count).map(item).collect(),
            name: (0..count).map(|n| format!("name {}", n % 3)).collect(),
        }
    }

    fn sales(&self) -> Sales<'_> {
        let Store { day, price, item, name } = self;
        Sales { shop: "elm", day, price, item, name, rate: 0.25, own: vec![1, -2, 3] }
    }
}

/// What stands for the sums of the prices by name, in the order of the names.
fn by_name(store: &Store) -> Dict<String, f64> {
    let mut sums: Vec<(String, f64)> = Vec::new();
    for (name, price) in store.name.iter().zip(&store.price) {
        match sums.iter_mut().find(|(known, _)| known == name) {
            Some((_, sum)) => *sum += price,
            None => sums.push((name.clone(), *price)),
        }
    }
    sums.into_iter().collect()
}

#[test]
fn fields_are_columns_scalars_texts_and_what_is_owned() {
    for count in [1, 5000] {
        let store = Store::of(count);
        let sales = store.sales();
        rule!(
            weld!(|s: &Sales| s.price.map(|p| p * s.rate).sum());
            (&sales) => store.price.iter().map(|p| p * 0.25).sum::<f64>(),
        );
        rule!(
            weld!(|s: &Sales<'_>, least: f32| (s.shop.len(), s.own, s.item.filter(|i| i.weight >= least).map(|i| i.kind).max()));
            (&sales, 0.0) => (3i64, vec![1i64, -2, 3], store.item.iter().map(|i| i.kind).max().unwrap()),
            (&sales, 1e9) => Fault(FaultKind::EmptyReduction, "max())"),
        );
        rule!(
            weld!(|s: &Sales| zip(s.name, s.price).reduce_by(|(name, _)| name, |(_, price)| price, +));
            (&sales) => by_name(&store),
        );
        // Items are found by way of the struct, which alone is named.
        rule!(
            weld!(|Sales { item, day, .. }: &Sales| (item.last(), day[0].year()));
            (&sales) => (store.item.last().copied(), 1970i32),
        );
    }
}

#[test]
fn rows_have_the_names_of_the_columns() {
    // All within a year.
    let store = Store::of(2500);
    let sales = store.sales();
    rule!(
        weld!(
            #[expect(loops = 1, materialized = 0)]
            |s: Sales| {
                let dear = s.rows().filter(|r| r.price > 50.0);
                (s.rows().map(|r| r.price * r.item.weight as f64 * s.rate).sum(), dear.len(), dear.map(|r| r.day.year() + r.own as i32).sum())
            }
        );
        (&Sales { own: store.item.iter().map(|item| i64::from(item.kind)).collect(), ..sales.clone() }) => (
            store.price.iter().zip(&store.item).map(|(p, i)| p * f64::from(i.weight) * 0.25).sum::<f64>(),
            store.price.iter().filter(|p| **p > 50.0).count() as i64,
            store.price.iter().zip(&store.item).filter(|(p, _)| **p > 50.0).map(|(_, i)| 1970 + i32::from(i.kind)).sum::<i32>(),
        ),
    );
    let x = Owned { x: vec![1.0, 2.0, 4.0], k: 0.5, y: vec![7, 8, 9] };
    rule!(
        weld!(
            #[expect(loops = 1, materialized = 0)]
            |o: &Owned| o.rows().filter(|r| r.y != 8).map(|r| r.x * o.k + r.y as f64).sum()
        );
        (&x) => 0.5 + 7.0 + 2.0 + 9.0,
    );
    // To others a row is the tuple of its elements.
    rule!(
        weld!(|o: &Owned| o.rows());
        (&x) => vec![(1.0, 7i32), (2.0, 8), (4.0, 9)],
    );
    rule!(
        weld!(|o: &Owned| o.rows().group_by(|r| r.y > 7));
        (&x) => [(false, vec![(1.0, 7i32)]), (true, vec![(2.0, 8), (4.0, 9)])].into_iter().collect::<Dict<_, _>>(),
    );
    rule!(
        weld!(|o: &Owned| o.rows().len());
        (&Owned { y: vec![1], ..x.clone() }) => Fault(FaultKind::ZipLengthMismatch, "rows().len()"),
    );
}

#[test]
fn structs_that_borrow_are_generic_and_may_have_numbered_fields() {
    let two = Two(&[1.5, 2.5], &[(4.0, true), (8.0, false), (16.0, true)], 3);
    rule!(
        weld!(|t: &Two<f64>| (t.0.sum(), t.1.filter(|(_, yes)| yes).map(|(x, _)| x).sum(), t.2));
        (&two) => (4.0, 20.0, 3i64),
    );
    rule!(
        weld!(|t: Two<'_, '_, f64>, u: Two<'_, '_, f64>| t.0.sum() + u.0.sum());
        (&two, &Two(&[], &[], 0)) => 4.0,
    );
}

/// What a sale brings in all.
#[weldment::welded]
fn revenue(s: &Sales<'_>) -> f64 {
    s.price.map(|p| p * (1.0 - s.rate)).sum()
}

#[test]
fn functions_take_them_as_kernels_do() {
    let store = Store::of(1000);
    let sales = store.sales();
    let expected = store.price.iter().map(|p| p * 0.75).sum::<f64>();
    assert_eq!(revenue(&sales), expected);
    rule!(
        weld!(|s: &Sales, k: f64| revenue(s) * k);
        (&sales, 2.0) => expected * 2.0,
    );
}

static TOTAL: weldment::Kernel<fn(&Sales<'_>, f64) -> f64> =
    weldment::weld!(|s: &Sales, k: f64| s.price.map(|p| p * k).sum());

/// With data of other lifetimes than those of the call.
fn total_of<'a>(sales: &Sales<'a>, rate: &'a [f64]) -> f64 {
    let here = [1.0, 2.0];
    let shorter = Sales { price: &here, ..sales.clone() };
    TOTAL(sales, rate[0]) + TOTAL(&shorter, rate[0])
}

#[test]
fn kernels_of_them_are_statics_and_capture_them() -> Result<(), AnyFault> {
    let store = Store::of(1000);
    let sales = store.sales();
    assert_eq!(total_of(&sales, &[2.0]), 2.0 * (store.price.iter().sum::<f64>() + 3.0));
    for threads in [1, 2, 3] {
        let options = Options::new().threads(threads);
        assert_eq!(TOTAL.with(&options).call(&sales, 1.0)?, store.price.iter().sum::<f64>());
    }
    let above = {
        let sales = &sales;
        weldment::weld!([s: &Sales = sales] |least: f64| s.price.filter(|p| p > least).len())
    };
    assert_eq!(above(50.0), store.price.iter().filter(|p| **p > 50.0).count() as i64);
    Ok(())
}
