//! What the functions give at the ends of their domains and beyond.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use weldment_runtime::lang::num::{Float, Number};

const INFINITY: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// Equal, down to the sign of zero; all NaNs are equal.
fn check(name: &str, function: fn(f64) -> f64, pairs: &[(f64, f64)]) {
    for &(x, expected) in pairs {
        let got = function(x);
        let same = if expected.is_nan() { got.is_nan() } else { got.to_bits() == expected.to_bits() };
        assert!(same, "{name}({x:e}) = {got:e}, not {expected:e}");
    }
}

/// The same, of functions of two floats.
fn check_pairs(name: &str, function: fn(f64, f64) -> f64, triples: &[(f64, f64, f64)]) {
    for &(x, y, expected) in triples {
        let got = function(x, y);
        let same = if expected.is_nan() { got.is_nan() } else { got.to_bits() == expected.to_bits() };
        assert!(same, "{name}({x:e}, {y:e}) = {got:e}, not {expected:e}");
    }
}

#[test]
fn exp() {
    let pairs = [
        (0.0, 1.0),
        (-0.0, 1.0),
        (INFINITY, INFINITY),
        (-INFINITY, 0.0),
        (NAN, NAN),
        (709.782712893384, 1.7976931348622732e308),
        (709.782712893385, INFINITY),
        (1e300, INFINITY),
        (-745.1332191019411, 5e-324),
        (-745.1332191019412, 0.0),
        (-1e300, 0.0),
        (5e-324, 1.0),
    ];
    check("exp", Float::exp, &pairs);
}

#[test]
fn log() {
    let pairs = [
        (1.0, 0.0),
        (0.0, -INFINITY),
        (-0.0, -INFINITY),
        (INFINITY, INFINITY),
        (-INFINITY, NAN),
        (-1.0, NAN),
        (-5e-324, NAN),
        (NAN, NAN),
        (5e-324, -744.4400719213812),
        (f64::MAX, 709.782712893384),
    ];
    check("log", Float::log, &pairs);
}

#[test]
fn erf() {
    let pairs = [
        (0.0, 0.0),
        (-0.0, -0.0),
        (INFINITY, 1.0),
        (-INFINITY, -1.0),
        (NAN, NAN),
        (6.0, 1.0),
        (-1e300, -1.0),
        (5e-324, 5e-324),
    ];
    check("erf", Float::erf, &pairs);
}

#[test]
fn exp2() {
    let pairs = [
        (0.0, 1.0),
        (-0.0, 1.0),
        (10.0, 1024.0),
        (-1022.0, f64::MIN_POSITIVE),
        (-1074.0, 5e-324),
        (-1075.0, 0.0),
        (1023.0, 8.98846567431158e307),
        (1024.0, INFINITY),
        (INFINITY, INFINITY),
        (-INFINITY, 0.0),
        (1e300, INFINITY),
        (-1e300, 0.0),
        (NAN, NAN),
    ];
    check("exp2", Float::exp2, &pairs);
}

#[test]
fn log2() {
    let mut pairs = vec![(0.0, -INFINITY), (-0.0, -INFINITY), (INFINITY, INFINITY), (-1.0, NAN), (NAN, NAN)];
    pairs.extend((-1074..1024).map(|k| (Float::exp2(f64::from(k)), f64::from(k))));
    check("log2", Float::log2, &pairs);
}

#[test]
fn log10() {
    let mut pairs = vec![(0.0, -INFINITY), (-0.0, -INFINITY), (INFINITY, INFINITY), (-1.0, NAN), (NAN, NAN)];
    pairs.extend((0..23).map(|k| (10f64.powi(k), f64::from(k))));
    check("log10", Float::log10, &pairs);
}

#[test]
fn sinh() {
    let pairs = [
        (0.0, 0.0),
        (-0.0, -0.0),
        (5e-324, 5e-324),
        (-1e-300, -1e-300),
        (710.5, INFINITY),
        (-1e300, -INFINITY),
        (INFINITY, INFINITY),
        (-INFINITY, -INFINITY),
        (NAN, NAN),
    ];
    check("sinh", Float::sinh, &pairs);
}

#[test]
fn cosh() {
    let pairs = [
        (0.0, 1.0),
        (-0.0, 1.0),
        (5e-324, 1.0),
        (710.5, INFINITY),
        (-1e300, INFINITY),
        (INFINITY, INFINITY),
        (-INFINITY, INFINITY),
        (NAN, NAN),
    ];
    check("cosh", Float::cosh, &pairs);
}

#[test]
fn tanh() {
    let pairs = [
        (0.0, 0.0),
        (-0.0, -0.0),
        (5e-324, 5e-324),
        (-1e-300, -1e-300),
        (20.0, 1.0),
        (1e300, 1.0),
        (INFINITY, 1.0),
        (-INFINITY, -1.0),
        (NAN, NAN),
    ];
    check("tanh", Float::tanh, &pairs);
}

#[test]
fn sin() {
    let pairs = [
        (0.0, 0.0),
        (-0.0, -0.0),
        (5e-324, 5e-324),
        (-1e-300, -1e-300),
        (1e300, -0.8178819121159085),
        (INFINITY, NAN),
        (-INFINITY, NAN),
        (NAN, NAN),
    ];
    check("sin", Float::sin, &pairs);
}

#[test]
fn cos() {
    let pairs = [
        (0.0, 1.0),
        (-0.0, 1.0),
        (5e-324, 1.0),
        (1e300, -0.5753861119575491),
        (INFINITY, NAN),
        (-INFINITY, NAN),
        (NAN, NAN),
    ];
    check("cos", Float::cos, &pairs);
}

#[test]
fn atan() {
    let pairs = [
        (0.0, 0.0),
        (-0.0, -0.0),
        (5e-324, 5e-324),
        (1.0, FRAC_PI_4),
        (1e300, FRAC_PI_2),
        (INFINITY, FRAC_PI_2),
        (-INFINITY, -FRAC_PI_2),
        (NAN, NAN),
    ];
    check("atan", Float::atan, &pairs);
}

#[test]
fn asin() {
    let pairs = [
        (0.0, 0.0),
        (-0.0, -0.0),
        (-5e-324, -5e-324),
        (1.0, FRAC_PI_2),
        (-1.0, -FRAC_PI_2),
        (1.0f64.next_up(), NAN),
        (INFINITY, NAN),
        (-INFINITY, NAN),
        (NAN, NAN),
    ];
    check("asin", Float::asin, &pairs);
}

#[test]
fn acos() {
    let pairs = [
        (0.0, FRAC_PI_2),
        (-0.0, FRAC_PI_2),
        (5e-324, FRAC_PI_2),
        (1.0, 0.0),
        (-1.0, PI),
        ((-1.0f64).next_down(), NAN),
        (INFINITY, NAN),
        (-INFINITY, NAN),
        (NAN, NAN),
    ];
    check("acos", Float::acos, &pairs);
}

#[test]
fn hypot() {
    let triples = [
        (0.0, 0.0, 0.0),
        (-0.0, -0.0, 0.0),
        (3.0, -4.0, 5.0),
        (-0.0, 7.0, 7.0),
        (5e-324, 0.0, 5e-324),
        (3.0 * 5e-324, 4.0 * 5e-324, 5.0 * 5e-324),
        (f64::MAX, 0.0, f64::MAX),
        (f64::MAX, 5e-324, f64::MAX),
        (f64::MAX, f64::MAX, INFINITY),
        (3e307, 4e307, 5e307),
        (INFINITY, NAN, INFINITY),
        (NAN, -INFINITY, INFINITY),
        (INFINITY, -INFINITY, INFINITY),
        (1.0, -INFINITY, INFINITY),
        (NAN, 0.0, NAN),
        (0.0, NAN, NAN),
    ];
    check_pairs("hypot", Float::hypot, &triples);
}

#[test]
fn cbrt() {
    let mut pairs = vec![
        (0.0, 0.0),
        (-0.0, -0.0),
        (INFINITY, INFINITY),
        (-INFINITY, -INFINITY),
        (NAN, NAN),
        (f64::MAX, 5.643803094122362e102),
        (5e-324, 1.7031839360032603e-108),
        (-f64::MIN_POSITIVE, -2.812644285236262e-103),
    ];
    pairs.extend((-200..200).map(|k: i32| (f64::from(k).powi(3), f64::from(k))));
    pairs.extend((-358..341).map(|k| (Float::exp2(f64::from(3 * k)), Float::exp2(f64::from(k)))));
    check("cbrt", Float::cbrt, &pairs);
}

#[test]
fn tan() {
    let pairs = [
        (0.0, 0.0),
        (-0.0, -0.0),
        (5e-324, 5e-324),
        (-1e-300, -1e-300),
        (FRAC_PI_2, 1.633123935319537e16),
        (-FRAC_PI_2, -1.633123935319537e16),
        (PI, -1.2246467991473532e-16),
        (1e300, 1.4214488238747245),
        (INFINITY, NAN),
        (-INFINITY, NAN),
        (NAN, NAN),
    ];
    check("tan", Float::tan, &pairs);
}

#[test]
fn atan2() {
    const THREE_QUARTERS: f64 = 2.356194490192345;
    let upper = [
        (0.0, 0.0, 0.0),
        (0.0, -0.0, PI),
        (0.0, 5e-324, 0.0),
        (0.0, -5e-324, PI),
        (0.0, INFINITY, 0.0),
        (0.0, -INFINITY, PI),
        (5e-324, 0.0, FRAC_PI_2),
        (f64::MAX, -0.0, FRAC_PI_2),
        (1.0, INFINITY, 0.0),
        (1.0, -INFINITY, PI),
        (INFINITY, 1.0, FRAC_PI_2),
        (INFINITY, -f64::MAX, FRAC_PI_2),
        (INFINITY, 0.0, FRAC_PI_2),
        (INFINITY, INFINITY, FRAC_PI_4),
        (INFINITY, -INFINITY, THREE_QUARTERS),
        (1.0, 1.0, FRAC_PI_4),
        (f64::MAX, f64::MAX, FRAC_PI_4),
        (5e-324, 5e-324, FRAC_PI_4),
        (5e-324, -5e-324, THREE_QUARTERS),
        (5e-324, 1.0, 5e-324),
        (5e-324, -1.0, PI),
        (5e-324, 3.0, 0.0),
        (5e-324, f64::MAX, 0.0),
        (f64::MAX, 5e-324, FRAC_PI_2),
        (3e-308, 16.0, 3e-308 / 16.0),
        (1e300, f64::INFINITY, 0.0),
        (NAN, 1.0, NAN),
        (1.0, NAN, NAN),
        (NAN, 0.0, NAN),
        (0.0, NAN, NAN),
        (NAN, INFINITY, NAN),
        (INFINITY, NAN, NAN),
        (NAN, -INFINITY, NAN),
        (NAN, NAN, NAN),
    ];
    check_pairs("atan2", Float::atan2, &upper);
    check_pairs("atan2", Float::atan2, &upper.map(|(y, x, angle)| (-y, x, -angle)));
}

#[test]
fn pow() {
    /// The largest odd number.
    const ODD: f64 = 9_007_199_254_740_991.0;
    let mut triples = vec![
        (2.0, -1.5, 0.3535533905932738),
        (-8.0, 3.0, -512.0),
        (-8.0, -2.0, 0.015625),
        (-8.0, 0.5, NAN),
        (-8.0, 1.0 / 3.0, NAN),
        (-5e-324, 0.5, NAN),
        (-1.0, ODD, -1.0),
        (-1.0, ODD + 1.0, 1.0),
        (-1.0, 4_503_599_627_370_497.0, -1.0),
        (-1.0, 4_503_599_627_370_495.5, NAN),
        (-1.0, -1e300, 1.0),
        (-1.0, INFINITY, 1.0),
        (-1.0, -INFINITY, 1.0),
        // Too large and too small.
        (2.0, 1024.0, INFINITY),
        (-2.0, 1025.0, -INFINITY),
        (2.0, -1074.0, 5e-324),
        (-2.0, -1074.0, 5e-324),
        (-2.0, -1073.0, -1e-323),
        (2.0, -1075.0, 0.0),
        (-2.0, -1077.0, -0.0),
        (2.0, -1074.4999, 5e-324),
        (10.0, -310.0, 1e-310),
        (0.3, 618.0, 5e-324),
        (1.5, 1e300, INFINITY),
        (0.5, 1e300, 0.0),
        (-1.5, -1e300, 0.0),
        (1.0f64.next_up(), 1e300, INFINITY),
        (1.0f64.next_down(), f64::MAX, 0.0),
        (f64::MAX, 5e-324, 1.0),
        (5e-324, 5e-324, 1.0),
        (5e-324, -1.0, INFINITY),
        (f64::MAX, 1.0, f64::MAX),
        (-f64::MAX, 1.0, -f64::MAX),
        // Zeros.
        (0.0, 3.0, 0.0),
        (-0.0, 3.0, -0.0),
        (-0.0, 2.0, 0.0),
        (-0.0, 0.5, 0.0),
        (0.0, 5e-324, 0.0),
        (0.0, -3.0, INFINITY),
        (-0.0, -3.0, -INFINITY),
        (-0.0, -2.0, INFINITY),
        (-0.0, -0.5, INFINITY),
        (0.0, INFINITY, 0.0),
        (-0.0, -INFINITY, INFINITY),
        // Infinities.
        (INFINITY, 5e-324, INFINITY),
        (INFINITY, -5e-324, 0.0),
        (-INFINITY, 3.0, -INFINITY),
        (-INFINITY, 2.0, INFINITY),
        (-INFINITY, 0.5, INFINITY),
        (-INFINITY, -3.0, -0.0),
        (-INFINITY, -2.0, 0.0),
        (-INFINITY, -0.5, 0.0),
        (INFINITY, INFINITY, INFINITY),
        (-INFINITY, -INFINITY, 0.0),
        (2.0, INFINITY, INFINITY),
        (-2.0, -INFINITY, 0.0),
        (-0.5, INFINITY, 0.0),
        (0.5, -INFINITY, INFINITY),
        (NAN, 1.0, NAN),
        (2.0, NAN, NAN),
        (0.0, NAN, NAN),
        (-1.0, NAN, NAN),
        (INFINITY, NAN, NAN),
        (NAN, INFINITY, NAN),
    ];
    let all = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 5e-324, f64::MAX, INFINITY, -INFINITY, NAN];
    triples.extend(all.iter().flat_map(|&x| [(x, 0.0, 1.0), (x, -0.0, 1.0), (1.0, x, 1.0)]));
    triples.extend((-1074..1024).map(|k| (2.0, f64::from(k), Float::exp2(f64::from(k)))));
    triples.extend((-30..30).map(|k| (f64::from(k), 3.0, f64::from(k).powi(3))));
    triples.extend((0..200).map(|k| (f64::from(k) * 0.37, 1.0, f64::from(k) * 0.37)));
    check_pairs("pow", Number::power, &triples);
}
