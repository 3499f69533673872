//! Kernels run, and give what the same loops written by hand give.

use weldment::{Kernel, weld};

static SUM: Kernel<fn(&[f64]) -> f64> = weld!(|x: &[f64]| x.map(|x| x * x + 1.0).sum());

#[test]
fn a_static_kernel_sums() {
    let x: Vec<f64> = (0..100_000).map(f64::from).collect();
    let expected: f64 = x.iter().map(|x| x * x + 1.0).sum();
    assert!((SUM(&x) - expected).abs() <= 1e-12 * expected);
}

#[test]
fn six_of_tpch() {
    let revenue = weld!(|price: &[f64], discount: &[f64], quantity: &[f64], ship: &[i32]| {
        zip(price, discount, quantity, ship)
            .filter(|(_, d, q, s)| s >= 8766 && s < 9131 && d >= 0.05 && d <= 0.07 && q < 24.0)
            .map(|(p, d, _, _)| p * d)
            .sum()
    });
    let n = 1000;
    let price: Vec<f64> = (0..n).map(|i| i as f64).collect();
    let discount: Vec<f64> = (0..n).map(|i| (i % 11) as f64 / 100.0).collect();
    let quantity: Vec<f64> = (0..n).map(|i| (i % 50) as f64).collect();
    let ship: Vec<i32> = (0..n).map(|i| 8700 + i % 500).collect();
    let mut expected = 0.0;
    for i in 0..n as usize {
        if ship[i] >= 8766 && ship[i] < 9131 && (0.05..=0.07).contains(&discount[i]) && quantity[i] < 24.0 {
            expected += price[i] * discount[i];
        }
    }
    let got = revenue(&price, &discount, &quantity, &ship);
    assert!((got - expected).abs() <= 1e-9 * expected, "{got} {expected}");
}

#[test]
fn maps_and_filters_collect() {
    let double = weld!(|v: &[i64]| v.map(|x| x * 2));
    assert_eq!(double(&[1, 2, 3]), [2, 4, 6]);
    let odd = weld!(|v: &[i64]| v.filter(|x| x % 2 == 1));
    assert_eq!(odd(&[1, 2, 3, 5, 8]), [1, 3, 5]);
}
