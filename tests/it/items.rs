//! Functions and constants in front of a program, in every way to run it.

use weldment::Weld;

use crate::every_way::agree;

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Sale {
    price: f64,
    discount: f64,
    shop: u8,
}

fn sales() -> Vec<Sale> {
    let sale =
        |i: u32| Sale { price: f64::from(i) * 0.75, discount: 1.0 / f64::from(i + 2), shop: i as u8 % 3 };
    (0..40).map(sale).collect()
}

#[test]
fn functions_take_values_rows_and_vectors() {
    let sales = sales();
    let (total, shops) = agree!(&sales[..];
        const RATE: f64 = 0.19;
        fn net(Sale { price, discount, .. }: Sale) -> f64 { price * (1.0 - discount) }
        fn gross(x: f64) -> f64 { x * (1.0 + RATE) }
        fn per_shop(sales: &[Sale]) -> Dict<u8, f64> { sales.reduce_by(|s| s.shop, net, +) }
        |sales: &[Sale]| (sales.map(|s| gross(net(s))).sum(), per_shop(sales)));
    let net: f64 = sales.iter().map(|s| s.price * (1.0 - s.discount)).sum();
    assert!((total - net * 1.19).abs() < 1e-9 && shops.len() == 3);
}

#[test]
fn functions_take_functions() {
    let v: Vec<i64> = (-20..20).map(|i| i * i % 13 - 4).collect();
    let (kept, sum, counts) = agree!(&v[..], 3i64;
        fn kept(v: &[i64], f: impl Fn(i64) -> bool) -> Vec<i64> { v.filter(f) }
        fn total(v: &[i64], f: impl Fn(i64) -> i64) -> i64 { v.map(f).sum() }
        fn counted(v: &[i64], key: impl Fn(i64) -> i64) -> Dict<i64, i64> { v.reduce_by(key, |_| 1, +) }
        fn square(x: i64) -> i64 { x * x }
        |v: &[i64], k: i64| (v.kept(|x| x > k), total(kept(v, |x| x <= k), square), v.counted(|x| x % k)));
    assert!(kept.iter().all(|x| *x > 3));
    assert_eq!(sum, v.iter().filter(|x| **x <= 3).map(|x| x * x).sum::<i64>());
    assert_eq!(counts.values().iter().sum::<i64>(), 40);
}

#[test]
fn one_function_is_of_many_types() {
    let (v, w) = ([3.0, 4.0], [6.0f32, 8.0]);
    let norms = agree!(&v[..], &w[..];
        fn norm<T: Float>(v: &[T]) -> T { v.map(|x| x * x).sum().sqrt() }
        |v: &[f64], w: &[f32]| (norm(v), norm(w)));
    assert_eq!(norms, (5.0, 10.0));
}

#[test]
fn a_function_is_of_arrays_as_well() {
    let grid = weldment::Array::from_fn([6, 5], |[i, j]| (i * 7 + j * 3) as f64 % 11.0).unwrap();
    agree!(&grid;
        const W: f64 = 0.25;
        fn smooth(u: &Array<f64, 2>) -> Array<f64, 2> {
            u.stencil(clamp, |c| W * (c[-1, 0] + c[1, 0] + c[0, -1] + c[0, 1]))
        }
        |u: &Array<f64, 2>| smooth(smooth(u)));
}

#[test]
fn a_fault_in_a_function_is_told_where_it_stands() {
    let kernel = weldment::weld! {
        fn at(v: &[i64], i: i64) -> i64 { v[i] }
        |v: &[i64]| at(v, 7)
    };
    let fault = kernel.try_call(&[1, 2]).unwrap_err();
    assert!(fault.to_string().contains("index 7 of a vector of 2"), "{fault}");
    agree!(&[1i64, 2][..];
        fn at(v: &[i64], i: i64) -> i64 { if i < len(v) { v[i] } else { -1 } }
        |v: &[i64]| (at(v, 1), at(v, 7)));
}

#[test]
fn calls_fuse_as_what_they_stand_for() {
    let kernel = weldment::weld! {
        fn squares(v: &[f64]) -> Vec<f64> { v.map(|x| x * x) }
        fn mean(v: &[f64]) -> f64 { v.sum() / f64(len(v)) }
        #[expect(loops = 1, materialized = 0)]
        |v: &[f64]| (mean(v), mean(squares(v)), squares(v).max())
    };
    assert_eq!(kernel(&[1.0, 3.0]), (2.0, 5.0, 9.0));
}
