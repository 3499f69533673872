//! How far off the functions are, in ulps.

use weldment_runtime::lang::num::{Float, Number};

use crate::double::{Double, scaled};
use crate::reference::{self, Exact};

/// Samples of an interval, if nobody asks for another number.
const CASES: u64 = 4_000;

/// An interval of arguments, by their values or by their bits.
enum Over {
    Values(f64, f64),
    /// As many samples between 1 and 2 as between 2 and 4; with the smallest positive number, every one has its share.
    Magnitudes(f64, f64),
}

/// Arguments spread over an interval, with its ends, by the golden ratio: no two equal, and the same in every run.
fn samples(over: &Over) -> impl Iterator<Item = f64> {
    let cases =
        std::env::var("WELDMENT_CASES").map_or(CASES, |cases| cases.parse().expect("a number of cases"));
    let (from, to) = match *over {
        Over::Values(from, to) | Over::Magnitudes(from, to) => (from, to),
    };
    let by_value = matches!(over, Over::Values(..));
    let inner = (1..=cases).map(move |i| {
        let part = i.wrapping_mul(0x9E37_79B9_7F4A_7C15) as f64 / 2f64.powi(64);
        if by_value {
            return from + (to - from) * part;
        }
        let (least, most) = (from.abs().to_bits(), to.abs().to_bits());
        f64::from_bits(least + ((most - least) as f64 * part) as u64).copysign(from)
    });
    [from, to].into_iter().chain(inner)
}

/// How far `got` is from `exact`, in units of the last place of `exact` in a format of `digits` binary digits whose
/// smallest positive number is two to the power `least`.
fn ulps(got: f64, exact: Exact, digits: i32, least: i32) -> f64 {
    let Exact { value, exponent } = exact;
    let size = ((value.high.to_bits() >> 52) & 0x7FF) as i32 - 1023;
    let ulp = (size + exponent - digits + 1).max(least) - exponent;
    let off = Double::from(scaled(got, -exponent)) - value;
    scaled(off.high, -ulp).abs()
}

fn check(name: &str, bound: f64, function: fn(f64) -> f64, exact: fn(f64) -> Exact, intervals: &[Over]) {
    for over in intervals {
        let off = |x: f64| (ulps(function(x), exact(x), 53, -1074), x);
        let (worst, x) = samples(over).map(off).fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a });
        if std::env::var_os("WELDMENT_CASES").is_some() {
            println!("{name}: {worst:.3} ulp at {x:e}");
        }
        assert!(worst <= bound, "{name}({x:e}) = {:e} is off by {worst} ulp", function(x));
    }
}

/// As [`check`], of a function of two floats, over pairs of intervals.
fn check_pairs(
    name: &str,
    bound: f64,
    function: fn(f64, f64) -> f64,
    exact: fn(f64, f64) -> Exact,
    intervals: &[(Over, Over)],
) {
    for (first, second) in intervals {
        // The second ones in an order that has nothing to do with that of the first.
        let mut seconds: Vec<f64> = samples(second).collect();
        let count = seconds.len();
        for i in 1..count {
            let bits = (i as u64).wrapping_mul(0xD1B5_4A32_D192_ED03);
            seconds.swap(i, (bits >> 20) as usize % (i + 1));
        }
        let off = |(x, y): (f64, f64)| (ulps(function(x, y), exact(x, y), 53, -1074), x, y);
        let start = (0.0, 0.0, 0.0);
        let (worst, x, y) =
            samples(first).zip(seconds).map(off).fold(start, |a, b| if b.0 > a.0 { b } else { a });
        if std::env::var_os("WELDMENT_CASES").is_some() {
            println!("{name}: {worst:.3} ulp at {x:e}, {y:e}");
        }
        assert!(worst <= bound, "{name}({x:e}, {y:e}) = {:e} is off by {worst} ulp", function(x, y));
    }
}

const TINY: f64 = 5e-324;

#[test]
fn exp() {
    let intervals = [
        Over::Values(-0.4, 0.4),
        Over::Values(-10.0, 10.0),
        Over::Values(-745.1, 709.7),
        Over::Magnitudes(TINY, 1.0),
        Over::Magnitudes(-TINY, -1.0),
    ];
    check("exp", 1.0, Float::exp, reference::exp, &intervals);
}

#[test]
fn log() {
    let intervals = [
        Over::Magnitudes(TINY, f64::MAX),
        Over::Values(0.5, 2.0),
        Over::Values(0.99, 1.01),
        Over::Magnitudes(TINY, f64::MIN_POSITIVE),
    ];
    check("log", 1.0, Float::log, reference::log, &intervals);
}

#[test]
fn erf() {
    let intervals = [
        Over::Values(-1.0, 1.0),
        Over::Values(0.9, 1.3),
        Over::Values(1.0, 6.2),
        Over::Values(-7.0, -1.0),
        Over::Magnitudes(TINY, 1.0),
    ];
    check("erf", 1.15, Float::erf, reference::erf, &intervals);
}

#[test]
fn exp2() {
    let intervals = [
        Over::Values(-0.6, 0.6),
        Over::Values(-1074.0, 1023.9),
        Over::Magnitudes(TINY, 1.0),
        Over::Magnitudes(-TINY, -1.0),
    ];
    check("exp2", 1.0, Float::exp2, reference::exp2, &intervals);
}

#[test]
fn log2() {
    let intervals = [Over::Magnitudes(TINY, f64::MAX), Over::Values(0.5, 2.0), Over::Values(0.99, 1.01)];
    check("log2", 1.0, Float::log2, reference::log2, &intervals);
}

#[test]
fn log10() {
    let intervals = [Over::Magnitudes(TINY, f64::MAX), Over::Values(0.5, 2.0), Over::Values(0.99, 1.01)];
    check("log10", 1.0, Float::log10, reference::log10, &intervals);
}

#[test]
fn sinh() {
    let intervals = [
        Over::Values(-1.0, 1.0),
        Over::Values(0.9, 3.0),
        Over::Values(-710.4, 710.4),
        Over::Magnitudes(TINY, 1.0),
    ];
    check("sinh", 1.0, Float::sinh, reference::sinh, &intervals);
}

#[test]
fn cosh() {
    let intervals = [Over::Values(-3.0, 3.0), Over::Values(-710.4, 710.4), Over::Magnitudes(TINY, 1.0)];
    check("cosh", 1.0, Float::cosh, reference::cosh, &intervals);
}

#[test]
fn tanh() {
    let intervals = [
        Over::Values(-0.55, 0.55),
        Over::Values(0.5, 0.7),
        Over::Values(-23.0, -0.5),
        Over::Magnitudes(TINY, 1.0),
    ];
    check("tanh", 1.2, Float::tanh, reference::tanh, &intervals);
}

/// Angles near multiples of π/2, where what is left of them is small.
fn near_quarters() -> impl Iterator<Item = f64> {
    (1..1 << 20).step_by(97).map(|k| f64::from(k) * std::f64::consts::FRAC_PI_2)
}

#[test]
fn sin() {
    let intervals = [
        Over::Values(-1.6, 1.6),
        Over::Values(-100.0, 100.0),
        Over::Values(-1.6e6, 1.6e6),
        Over::Magnitudes(TINY, 1.0),
        Over::Magnitudes(1.0, 1e12),
    ];
    check("sin", 1.0, Float::sin, reference::sin, &intervals);
    for x in near_quarters() {
        assert!(ulps(Float::sin(x), reference::sin(x), 53, -1074) <= 1.0, "sin({x:e})");
    }
}

#[test]
fn cos() {
    let intervals = [
        Over::Values(-1.6, 1.6),
        Over::Values(-100.0, 100.0),
        Over::Values(-1.6e6, 1.6e6),
        Over::Magnitudes(TINY, 1.0),
        Over::Magnitudes(1.0, 1e12),
    ];
    check("cos", 1.0, Float::cos, reference::cos, &intervals);
    for x in near_quarters() {
        assert!(ulps(Float::cos(x), reference::cos(x), 53, -1074) <= 1.0, "cos({x:e})");
    }
}

#[test]
fn atan() {
    let intervals = [
        Over::Values(-1.0, 1.0),
        Over::Values(0.6, 3.0),
        Over::Magnitudes(1e-150, 1e100),
        Over::Magnitudes(-1e-3, -1e5),
    ];
    check("atan", 1.0, Float::atan, reference::atan, &intervals);
}

#[test]
fn asin() {
    let intervals = [Over::Values(-1.0, 1.0), Over::Values(0.9999, 1.0), Over::Magnitudes(1e-150, 0.5)];
    check("asin", 1.0, Float::asin, reference::asin, &intervals);
}

#[test]
fn acos() {
    let intervals = [Over::Values(-1.0, 1.0), Over::Values(0.9999, 1.0), Over::Magnitudes(1e-150, 0.5)];
    check("acos", 1.0, Float::acos, reference::acos, &intervals);
}

#[test]
fn hypot() {
    let intervals = [
        (Over::Values(-10.0, 10.0), Over::Values(-10.0, 10.0)),
        (Over::Values(1.0, 2.0), Over::Magnitudes(1e-20, 1e20)),
        (Over::Magnitudes(1e-307, 1e307), Over::Magnitudes(1e-307, 1e307)),
        (Over::Values(1e-307, 2e-307), Over::Values(0.0, 2e-307)),
        (Over::Values(1e307, 1.2e308), Over::Values(0.0, 1.2e308)),
        (Over::Values(1e150, 1e151), Over::Values(0.0, 1e151)),
        (Over::Values(1e-121, 5e-120), Over::Values(0.0, 5e-120)),
    ];
    check_pairs("hypot", 0.51, Float::hypot, reference::hypot, &intervals);
    let subnormal = [(Over::Magnitudes(TINY, 2e-308), Over::Magnitudes(TINY, 2e-308))];
    check_pairs("hypot", 1.0, Float::hypot, reference::hypot, &subnormal);
}

#[test]
fn cbrt() {
    let intervals = [
        Over::Values(-8.0, 8.0),
        Over::Values(0.9, 1.1),
        Over::Magnitudes(TINY, f64::MAX),
        Over::Magnitudes(-1.0, -8.0),
        Over::Magnitudes(TINY, f64::MIN_POSITIVE),
    ];
    check("cbrt", 0.51, Float::cbrt, reference::cbrt, &intervals);
}

#[test]
fn tan() {
    let intervals = [
        Over::Values(-0.79, 0.79),
        Over::Values(0.7, 2.4),
        Over::Values(-100.0, 100.0),
        Over::Values(-1.6e6, 1.6e6),
        Over::Magnitudes(TINY, 1.0),
        Over::Magnitudes(1.0, 1e12),
    ];
    check("tan", 1.0, Float::tan, reference::tan, &intervals);
    for x in near_quarters() {
        assert!(ulps(Float::tan(x), reference::tan(x), 53, -1074) <= 1.0, "tan({x:e})");
    }
}

#[test]
fn atan2() {
    let intervals = [
        (Over::Values(-1.0, 1.0), Over::Values(-1.0, 1.0)),
        (Over::Values(1.0, 2.0), Over::Values(1.5, 3.0)),
        (Over::Magnitudes(1e-20, 1e20), Over::Values(1.0, 2.0)),
        (Over::Magnitudes(-1e-5, -1e5), Over::Values(-2.0, -1.0)),
        (Over::Magnitudes(1e-300, 1e300), Over::Magnitudes(1e-307, 1e307)),
        (Over::Values(1e-307, 1e-306), Over::Magnitudes(1.0, 1e17)),
        (Over::Magnitudes(TINY, 1e-307), Over::Values(0.1, 10.0)),
        (Over::Magnitudes(TINY, 1e-307), Over::Magnitudes(-TINY, -1e-307)),
        (Over::Values(1e307, f64::MAX), Over::Values(1e307, f64::MAX)),
        (Over::Magnitudes(1e-30, 1e300), Over::Values(1e303, f64::MAX)),
    ];
    check_pairs("atan2", 1.0, Float::atan2, reference::atan2, &intervals);
}

#[test]
fn pow() {
    let intervals = [
        (Over::Values(0.5, 2.0), Over::Values(-1000.0, 1000.0)),
        (Over::Values(1.38, 1.414), Over::Values(2000.0, 2040.0)),
        (Over::Values(0.708, 0.73), Over::Values(-2050.0, -1900.0)),
        (Over::Values(0.01, 100.0), Over::Values(-150.0, 150.0)),
        (Over::Magnitudes(1e-300, 1e300), Over::Values(-1.0, 1.0)),
        (Over::Magnitudes(TINY, f64::MIN_POSITIVE), Over::Values(-0.95, 0.95)),
        (Over::Values(0.999, 1.001), Over::Values(-7e5, 7e5)),
        (Over::Values(1.0 - 1e-9, 1.0 + 1e-9), Over::Values(-7e11, 7e11)),
        (Over::Values(0.1, 10.0), Over::Magnitudes(1e-30, 1.0)),
        (Over::Values(0.1, 10.0), Over::Values(2.0, 2.0)),
        (Over::Values(0.1, 10.0), Over::Values(0.5, 0.5)),
        (Over::Values(2.0, 2.05), Over::Values(-1040.0, -1022.0)),
        (Over::Magnitudes(1e-200, 1e-180), Over::Values(1.6, 1.7)),
    ];
    check_pairs("pow", 1.0, Number::power, reference::pow, &intervals);
}
