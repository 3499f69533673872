//! Functions of the Rust around programs, in every way to run these.

use weldment::{Array, Dict, Weld, welded};

use crate::every_way::agree;
use crate::executors::{Cut, interpreted};

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Trade {
    price: f64,
    size: i64,
    venue: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Extent {
    low: f64,
    high: f64,
}

#[welded]
fn value(Trade { price, size, .. }: Trade) -> f64 {
    price * (size as f64)
}

#[welded]
fn weighted(trades: &[Trade], weight: impl Fn(Trade) -> f64) -> f64 {
    let total = trades.map(weight).sum();
    trades.map(|t| weight(t) * t.price).sum() / total
}

#[welded]
fn per_venue(trades: &[Trade]) -> Dict<u8, (f64, i64)> {
    trades.reduce_by(|t| t.venue, |t| (value(t), 1i64), |a, b| a + b)
}

#[welded]
fn span_of(v: &[f64]) -> Extent {
    Extent { low: v.min(), high: v.max() }
}

#[welded]
fn scaled<T: Float>(v: &[T], by: T) -> Vec<T> {
    v.map(|x| x * by)
}

/// The sum of two vectors of any numbers, for kernels only.
#[welded]
fn inner_product<T: Number>(v: &[T], w: &[T]) -> T {
    zip(v, w).map(|(x, y)| x * y).sum()
}

#[welded(for(i32, i64, f64))]
fn total<T: Number>(v: &[T], from: T) -> T {
    v.sum() + from
}

#[welded(for(T = [i64, u8], U = [f32, f64]))]
fn cast_and_scaled<T: Int, U: Float>(v: &[T], by: U) -> Vec<U> {
    v.map(|x| (x as U) * by)
}

#[welded(for(bool, i128))]
fn how_often<T>(v: &[T], what: T) -> i64 {
    v.filter(|x| x == what).count()
}

#[welded]
fn blurred(a: &Array<f64, 2>) -> Array<f64, 2> {
    a.stencil(clamp, |c| 0.25 * (c[(-1, 0)] + c[(1, 0)] + c[(0, -1)] + c[(0, 1)]))
}

#[welded]
fn quotient(a: i64, b: i64) -> i64 {
    a / b
}

#[welded(kernels)]
fn steps(x: i64, n: i64) -> i64 {
    iterate((x, n), |(x, n)| ((x * 3 + 1, n - 1), n > 1)).0
}

fn trades() -> Vec<Trade> {
    (0..40)
        .map(|i: i64| Trade { price: (i * 7 % 11) as f64 + 0.5, size: i % 5 + 1, venue: (i % 3) as u8 })
        .collect()
}

#[test]
fn functions_of_rust_are_functions_of_programs() {
    let trades = trades();
    let (total, mean, venues) = agree!(&trades[..];
        |trades: &[Trade]| (trades.map(value).sum(), weighted(trades, |t| t.size as f64), per_venue(trades)));
    assert_eq!(total, trades.iter().map(|t| value(*t)).sum());
    assert!(mean > 0.5 && mean < 11.0);
    assert_eq!(venues.values().iter().map(|(_, n)| n).sum::<i64>(), 40);
    assert_eq!(venues, per_venue(&trades));
}

#[test]
fn they_give_structs_and_arrays_and_are_generic() {
    let (v, w) = ([3.0, -1.5, 2.0], [1.0f32, 0.5]);
    let got = agree!(&v[..], &w[..], 2.0;
    |v: &[f64], w: &[f32], k: f64| -> (Extent, Vec<f64>, Vec<f32>, f64, i64) {
        (span_of(v), scaled(v, k), scaled(w, 4.0), inner_product(v, v), inner_product([1, 2], [3, 4]))
    });
    let expected = (span_of(&v), scaled(&v, 2.0), scaled(&w, 4.0f32), 15.25, 11);
    assert_eq!(got, expected);
    let grid = Array::from_fn([6, 5], |[i, j]| (i * 7 + j * 3) as f64 % 11.0).unwrap();
    let twice = agree!(&grid; |a: &Array<f64, 2>| blurred(blurred(a)));
    assert_eq!(twice, blurred(&blurred(&grid)));
}

#[test]
fn a_generic_function_is_one_of_rust_for_the_types_that_it_lists() {
    assert_eq!((total(&[1, 2], 4), total(&[1i64 << 40], 1), total(&[0.5], 0.25)), (7, (1 << 40) + 1, 0.75));
    // Integers wrap in each of them.
    assert_eq!((total(&[i32::MAX], 1), total(&[i64::MAX], 1)), (i32::MIN, i64::MIN));
    assert_eq!(cast_and_scaled(&[255u8, 1], 0.5f32), [127.5f32, 0.5]);
    assert_eq!(cast_and_scaled(&[-3i64], 0.1f64), [-3.0 * 0.1]);
    assert_eq!((how_often(&[true, false, true], true), how_often(&[1i128 << 100, 3], 1 << 100)), (2, 1));
    // Kernels call it with types that it does not list.
    let v = [250u8, 7];
    let got = agree!(&v[..]; |v: &[u8]| (total(v, 1u8), how_often(v, 7u8)));
    assert_eq!(got, (2, 1));
}

#[test]
fn faults_in_them_are_those_of_the_call() {
    let v = [7i64, 9, 12];
    let got = agree!(&v[..], 2i64; |v: &[i64], n: i64| v.map(|x| quotient(x, n) + steps(x, 3)));
    let step = |x: i64| x * 3 + 1;
    assert_eq!(got, v.map(|x| quotient(x, 2) + step(step(step(x)))));
    let kernel = weldment::weld!(|v: &[i64], n: i64| v.map(|x| quotient(x, n)));
    let fault = kernel.try_call(&v, 0).unwrap_err();
    let program = weldment::ToProgram::program(&kernel);
    let args = [weldment::Argument::to_value(&&v[..]), weldment::Argument::to_value(&0i64)];
    let interpreted = interpreted(&program, Cut::COST, &args).unwrap_err();
    assert_eq!((fault.kind, &fault.detail), (interpreted.kind, &interpreted.detail));
}

#[test]
fn one_function_in_another_is_one_loop() {
    let kernel = weldment::weld!(
        #[expect(loops = 1, materialized = 0)]
        |trades: &[Trade], k: f64| (trades.map(|t| value(t) * k).sum(), span_of(trades.map(value)).high)
    );
    let (sum, high) = kernel(&trades(), 0.5);
    assert!(sum > high && high > 0.0);
}

#[welded]
fn squared_distance(p: [f64; 3], q: &[f64; 3]) -> f64 {
    zip(p, q).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[welded]
fn nearest(points: &[[f64; 3]], to: [f64; 3]) -> usize {
    points.map(|p| squared_distance(p, to)).argmin()
}

#[welded]
fn next(i: usize, n: &usize) -> usize {
    (i + 1) % n
}

#[welded]
fn turned(p: &(f64, f64)) -> (f64, f64) {
    (-p.1, p.0)
}

#[welded]
fn picked(v: &[f64], at: &[usize]) -> Vec<f64> {
    at.map(|i| v[i])
}

#[test]
fn arrays_and_sizes_are_those_of_rust() {
    let points = [[0.0, 0.0, 0.0], [1.0, 2.0, 2.0], [3.0, 0.0, 4.0]];
    assert_eq!(squared_distance(points[0], &points[1]), 9.0);
    assert_eq!((nearest(&points, [2.5, 0.0, 4.0]), next(2, &3), next(0, &3)), (2usize, 0usize, 1usize));
    assert_eq!(turned(&(1.0, 2.0)), (-2.0, 1.0));
    assert_eq!(picked(&[0.5, 1.5], &[1, 1, 0]), [1.5, 1.5, 0.5]);
    let got = agree!(&points[..], &[0.5, 1.5], &[0usize, 1, 0], 2usize; |points: &[[f64; 3]], v: &[f64], at: &[usize], n: usize| (
        points.map(|p| (nearest(points, p), squared_distance(p, points[0]))),
        picked(v, at.map(|i| next(i, n))),
    ));
    assert_eq!(got, (vec![(0i64, 0.0), (1, 9.0), (2, 25.0)], vec![1.5, 0.5, 1.5]));
}

weldment::weld! {
    /// Of neighbours in both directions.
    fn blurred_twice(a: &Array<f64, 2>) -> Array<f64, 2> {
        around(around(a)).map(|x| x * SHARE)
    }

    const SHARE: f64 = 0.0625;

    fn around(a: array[f64, 2]) -> array[f64, 2] {
        a.stencil(clamp, |c| c[-1, 0] + c[1, 0] + c[0, -1] + c[0, 1])
    }

    fn sums(keys: vec[i64], v: vec[f64]) -> dict[i64, f64] {
        result(for(zip(keys, v), dictmerger[i64, f64, +], |b, i, p| merge(b, {p.$0, p.$1})))
    }

    #[welded(for(i64, f32))]
    fn parts<T: Number>(v: &[T], at: i64) -> {vec[T], T} {
        {slice(v, 0L, at), v[at]}
    }

    #[cfg(any())]
    fn never(x: f64) -> f64 { what(x) }

    #[welded(kernels)]
    fn folded(v: &[f64], f: impl Fn(f64) -> f64) -> f64 {
        v.map(f).reduce_by(|x| x > 0.0, |x| x, +).tovec().map(|(_, x)| x).sum()
    }
}

#[test]
fn items_in_either_spelling_are_functions_of_rust_and_of_programs() {
    let grid = Array::from_fn([6, 5], |[i, j]| (i * 7 + j * 3) as f64 % 11.0).unwrap();
    assert_eq!(blurred_twice(&grid), blurred(&blurred(&grid)));
    assert_eq!(around(grid.view())[[2, 2]], blurred(&grid)[[2, 2]] * 4.0);
    assert_eq!(sums(&[7, 3, 7], &[1.0, 2.0, 4.0])[&7], 5.0);
    assert_eq!((parts(&[1i64, 2], 1), parts(&[0.5f32], 0)), ((vec![1], 2), (vec![], 0.5f32)));
    let (keys, v) = ([7i64, 3, 7], [1.0, 2.0, 4.0]);
    let got = agree!(&keys[..], &v[..]; |k: &[i64], v: &[f64]| (
        sums(k, v), parts(v, 2i64), folded(v, |x| x * 0.5)
    ));
    assert_eq!(got, (sums(&keys, &v), (vec![1.0, 2.0], 4.0), 3.5));
    // A constant of one is one of Rust, too.
    assert_eq!(weldment::weld!(|x: f64| x * SHARE)(2.0), 2.0 * SHARE);
}
