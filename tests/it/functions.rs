//! Math functions give the same bits in every way to run them: in vectors and one by one, on every set of instructions.

use crate::every_way::agree;

/// Blocks of moderate numbers, one of which holds a huge angle, and what is no number in a tail.
fn arguments() -> Vec<f64> {
    let mut x: Vec<f64> = (0..100).map(|i| f64::from(i) * 0.37 - 11.0).collect();
    x[40] = 1e9;
    x.extend([0.0, -0.0, 5e-324, 710.0, -746.0, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]);
    x
}

#[test]
fn exponentials_and_logarithms() {
    let x = arguments();
    agree!(&x[..]; |x: &[f64]| x.map(|x| (exp(x), exp2(x), log(x), log2(x), log10(x), erf(x))));
    agree!(&x[..]; |x: &[f64]| x.map(|x| exp(x as f32) * erf(x as f32) + log(x as f32)));
}

#[test]
fn angles() {
    let x = arguments();
    agree!(&x[..]; |x: &[f64]| x.map(|x| (sin(x), cos(x), atan(x))));
    agree!(&x[..]; |x: &[f64]| x.map(|x| sin(x as f32) + cos(x as f32)).sum());
    agree!(&x[..]; |x: &[f64]| x.filter(|x| sin(x * 3.0) > 0.5).map(|x| asin(x / 20.0) + acos(x / 20.0)));
}

#[test]
fn an_angle_may_depend_on_an_angle_and_on_the_index() {
    let x = arguments();
    agree!(&x[..], 1e5; |x: &[f64], scale: f64|
        result(for(x, appender[f64], |b, i, e| merge(b, sin(cos(e) * scale * f64(i))))));
}

#[test]
fn hyperbolic_functions() {
    let x = arguments();
    agree!(&x[..]; |x: &[f64]| x.map(|x| (sinh(x), cosh(x), tanh(x))));
    let sum = agree!(&x[..12]; |x: &[f64]| x.map(|x| tanh(x)).sum());
    let expected: f64 = x[..12].iter().map(|x| x.tanh()).sum();
    assert!((sum - expected).abs() < 1e-12, "{sum} {expected}");
}

#[test]
fn functions_of_functions_run_in_stages() {
    let x = arguments();
    agree!(&x[..]; |x: &[f64]| x.map(|x| {
        let first = log(x + 20.0);
        let second = erf(first * x);
        (exp(second) + first * x, second > 0.0)
    }));
    agree!(&x[..], 0.5; |x: &[f64], least: f64| x.filter(|x| erf(exp(x) - 1.0) > least).map(|x| log(exp(x) + 1.0)));
    agree!(&x[..], 3.0; |x: &[f64], scale: f64|
        result(for(x, merger[f64, +], |b, i, e| if(e < 30.0, merge(b, exp(sin(e * scale)) + f64(i)), b))));
    agree!(&x[..]; |x: &[f64]| x.map(|x| log(1.0f32 + exp(x as f32))).max());
}
