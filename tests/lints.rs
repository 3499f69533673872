//! A crate that forbids what can be forbidden: `weld!` adds nothing to it that warns.
#![forbid(unsafe_code)]
#![deny(
    warnings,
    missing_docs,
    unused,
    future_incompatible,
    nonstandard_style,
    rust_2018_idioms,
    let_underscore
)]
#![deny(trivial_casts, trivial_numeric_casts, unreachable_pub, unused_qualifications, unused_results)]
#![deny(unused_lifetimes, single_use_lifetimes, missing_debug_implementations, variant_size_differences)]
#![deny(clippy::all, clippy::pedantic)]

use weldment::{Dict, Kernel, Weld, weld};

/// The type of a kernel that others use.
pub type Revenue = fn(&[f64], &[i32]) -> f64;

/// A kernel that others use. Its type is an alias because `clippy::type_complexity` objects to the whole of it.
pub static REVENUE: Kernel<Revenue> = weld!(|price: &[f64], day: &[i32]| {
    zip(price, day).filter(|(p, t)| t >= 10 && p > 0.05).map(|(p, _)| p * 0.5).sum()
});

/// A struct that others use.
#[derive(Clone, Copy, Debug, Weld)]
pub struct Order {
    /// For one.
    pub price: f64,
    /// How many.
    pub quantity: i32,
    id: i64,
}

/// One that holds others, in places of any type.
#[derive(Clone, Debug, Weld)]
pub struct Basket<T> {
    /// What is in it.
    pub orders: Vec<Order>,
    /// Whose it is.
    pub owner: T,
    first: (Order, bool),
}

#[derive(Clone, Copy, Debug, Weld)]
struct Unused(u8);

#[test]
fn structs_are_silent() {
    let orders = [Order { price: 2.0, quantity: 3, id: 1 }, Order { price: 1.0, quantity: 1, id: 2 }];
    let total = weld!(|o: &[Order]| o.map(|o| o.price * f64(o.quantity)).sum());
    assert!((total(&orders) - 7.0).abs() < 1e-12);
    let baskets = [Basket { orders: orders.to_vec(), owner: 7u8, first: (orders[0], true) }];
    let kept = weld!(|b: &[Basket<u8>]| b.filter(|b| len(b.orders) > 1).map(|b| Basket {
        owner: 1i64,
        orders: b.orders,
        first: b.first
    }));
    assert_eq!(kept(&baskets)[0].first.0.id, 1);
    let firsts = weld!(|b: &[Basket<u8>]| b.map(|b| b.first.0));
    assert_eq!(firsts(&baskets)[0].id, 1);
    assert_eq!(Unused(1).0, 1);
}

#[test]
fn claims_that_hold_are_silent() {
    let total = weld!(
        #[expect(loops = 1, materialized = 0)]
        #[warn(materialized)]
        |v: &[f64]| v.map(|x| x * 2.0).sum()
    );
    assert!((total(&[1.0, 2.0]) - 6.0).abs() < 1e-12);
}

#[test]
fn loops_are_silent() {
    assert!((REVENUE(&[2.0, 4.0], &[10, 9]) - 1.0).abs() < 1e-12);
    let rows = weld!(|n: i64| (0..n).map(|i| (0..i).map(|j| i * j).sum()));
    assert_eq!(rows(4), [0, 0, 2, 9]);
}

#[test]
fn numbers_near_constants_of_the_library_are_silent() {
    let normal = weld!(|v: &[f64]| v.map(|x| 0.5 + 0.5 * erf(x * sqrt(0.5))));
    assert!((normal(&[0.0])[0] - 0.5).abs() < 1e-12);
    let around = weld!(|r: f32| 2.0f * r * acos(-1.0f) + 2.718281828f - exp(1.0f));
    assert!((around(0.5) - std::f32::consts::PI).abs() < 1e-5);
}

#[test]
fn loops_that_only_assert_are_silent() {
    let checked = weld!(|v: &[i64]| {
        let checked = v.map(|x| assert(x > 0));
        len(v)
    });
    assert_eq!(checked(&[1, 2]), 2);
    let rows = weld!(|rows: &[Vec<i64>]| rows.map(|row| {
        let checked = row.map(|x| assert(x > 0));
        len(row)
    }));
    assert_eq!(rows(&[vec![1, 2], vec![]]), [2, 0]);
}

#[test]
fn unused_parameters_and_variables_are_silent() {
    let first = weld!(|v: &[i64], unused: &[f64], k: i32| {
        let x = 1L;
        let (a, b) = (v[0], 2.0);
        a
    });
    assert_eq!(first(&[7], &[], 0), 7);
}

#[test]
fn dictionaries_sorting_and_bytes_are_silent() {
    let counts =
        weld!(|keys: &[i64]| result(for(keys, dictmerger[i64, i64, +], |b, i, k| merge(b, {k, 1L}))));
    let found: Dict<i64, i64> = counts(&[3, 1, 3]);
    assert_eq!(found.get(&3), Some(&2));
    let sorted = weld!(|v: &[f32]| sort(v, |a, b| compare(a, b)));
    assert_eq!(sorted(&[2.0, 1.0]).len(), 2);
    let length = weld!(|name: &[u8], v: &[Vec<i16>]| len(serialize(v)) + len(name) + len("text"));
    assert_eq!(length(b"ab", &[vec![1], vec![]]), 8 + 8 + 2 + 8 + 2 + 4);
}

#[test]
fn scalars_of_every_type_are_silent() {
    let mixed = weld!(|a: bool, b: i8, c: u16, d: u64, e: f32| {
        if a && !(b < 0c) || c > 3u16 { (f64(e) * -1.5 + 0.1).sqrt().abs() } else { d as f64 / 3.0 % 2.0 }
    });
    assert!(mixed(false, 1, 2, 3, 4.0) > 0.9);
    let state = weld!(|x: f64| iterate({x, 0L}, |s| { {{s.0 * 0.5, s.1 + 1L}, s.0 > 1.0} }));
    assert_eq!(state(8.0).1, 4);
}
