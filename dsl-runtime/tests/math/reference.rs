//! The functions in twice the precision: slow, and each from another formula than the runtime's.

use std::f64::consts;

use crate::double::{Double, scaled};

const LN_2: Double = Double::new(consts::LN_2, 2.3190468138462996e-17);
const LOG2_E: Double = Double::new(consts::LOG2_E, 2.0355273740931033e-17);
const LOG10_E: Double = Double::new(consts::LOG10_E, 1.098319650216765e-17);
const TWO_BY_ROOT_PI: Double = Double::new(consts::FRAC_2_SQRT_PI, 1.533545961316588e-17);

/// A number, and a power of two that it is to be multiplied by: more than a float may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exact {
    pub(crate) value: Double,
    pub(crate) exponent: i32,
}

impl From<Double> for Exact {
    fn from(value: Double) -> Exact {
        Exact { value, exponent: 0 }
    }
}

impl Exact {
    fn double(self) -> Double {
        self.value.scaled(self.exponent)
    }
}

pub(crate) fn exp(x: f64) -> Exact {
    exp_of(x.into())
}

/// By halving, the series, and squaring.
pub(crate) fn exp_of(x: Double) -> Exact {
    const HALVINGS: i32 = 6;
    let k = (x.high / LN_2.high).round();
    // The third part of ln 2 tells where k is large.
    let r = (x - LN_2 * k - Double::from(5.707708438416212e-34 * k)).scaled(-HALVINGS);
    let mut power = Double::ONE;
    // eʳ − 1, which keeps what squares of numbers near 1 would lose.
    let mut value = Double::ZERO.plus_series(|n| {
        power = power * r / n;
        power
    });
    for _ in 0..HALVINGS {
        value = value + value + value.square();
    }
    Exact { value: value + Double::ONE, exponent: k as i32 }
}

pub(crate) fn log(x: f64) -> Exact {
    log_of(x).into()
}

/// By Newton's step from a logarithm in single precision, or, near 1, by the series.
fn log_of(x: f64) -> Double {
    if (x - 1.0).abs() < 0.1 {
        let s = (Double::from(x) - Double::ONE) / (Double::from(x) + Double::ONE);
        let mut power = s;
        let sum = s.plus_series(|n| {
            power = power * s.square();
            power / (2.0 * n + 1.0)
        });
        return sum + sum;
    }
    let near = Double::from(x.ln());
    let inverse = exp_of(-near);
    let (x, shift) = if x < 1e-300 { (scaled(x, 200), -200) } else { (x, 0) };
    let rest = (inverse.value * x).scaled(inverse.exponent + shift) - Double::ONE;
    near + rest - rest.square() / 2.0
}

pub(crate) fn log2(x: f64) -> Exact {
    (log_of(x) * LOG2_E).into()
}

pub(crate) fn log10(x: f64) -> Exact {
    (log_of(x) * LOG10_E).into()
}

pub(crate) fn exp2(x: f64) -> Exact {
    let k = x.round();
    let Exact { value, exponent } = exp_of(LN_2 * (x - k));
    Exact { value, exponent: exponent + k as i32 }
}

/// By a series of positive terms.
pub(crate) fn erf(x: f64) -> Exact {
    if x.abs() > 6.5 {
        return Double::from(x.signum()).into();
    }
    let square = Double::product(x, x);
    let mut term = Double::from(x);
    let sum = term.plus_series(|n| {
        term = term * square * 2.0 / (2.0 * n + 1.0);
        term
    });
    (TWO_BY_ROOT_PI * sum * exp_of(-square).double()).into()
}

/// The halves of eˣ and e⁻ˣ, for x from 0 on.
fn halves(x: f64) -> (Exact, Double) {
    let Exact { value, exponent } = exp_of(x.into());
    let half = Exact { value, exponent: exponent - 1 };
    // Below 2⁻¹⁵⁰ of the other, it is as good as none.
    let inverse = if exponent > 80 { Double::ZERO } else { Double::ONE / (value + value).scaled(exponent) };
    (half, inverse)
}

pub(crate) fn cosh(x: f64) -> Exact {
    let (half, inverse) = halves(x.abs());
    if inverse == Double::ZERO { half } else { (half.double() + inverse).into() }
}

pub(crate) fn sinh(x: f64) -> Exact {
    let (half, inverse) = halves(x.abs());
    let size = match x.abs() {
        ..0.3 => {
            let square = Double::product(x, x);
            let mut term = Double::from(x.abs());
            let sum = term.plus_series(|n| {
                term = term * square / (2.0 * n * (2.0 * n + 1.0));
                term
            });
            sum.into()
        }
        _ if inverse == Double::ZERO => half,
        _ => (half.double() - inverse).into(),
    };
    if x < 0.0 { Exact { value: -size.value, ..size } } else { size }
}

pub(crate) fn tanh(x: f64) -> Exact {
    if x.abs() > 40.0 {
        return Double::from(x.signum()).into();
    }
    (sinh(x).double() / cosh(x).double()).into()
}

/// Less a multiple of π/2, and the multiple.
fn reduced(x: f64) -> (Double, i64) {
    const QUARTER: [f64; 4] =
        [consts::FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591698e-33, 5.562271104316826e-50];
    let k = (x / QUARTER[0]).round();
    let rest = QUARTER.iter().fold(Double::from(x), |rest, &part| rest - Double::product(part, k));
    (rest, k as i64)
}

/// The series of the sine, or from its second term on that of the cosine.
fn circular(x: Double, quarters: i64) -> Double {
    let (mut term, first) = if quarters % 2 == 0 { (x, 0.0) } else { (Double::ONE, -1.0) };
    let sum = term.plus_series(|n| {
        let m = 2.0 * n + first;
        term = -(term * x.square()) / (m * (m + 1.0));
        term
    });
    if quarters & 2 == 0 { sum } else { -sum }
}

pub(crate) fn sin(x: f64) -> Exact {
    let (x, quarters) = reduced(x);
    circular(x, quarters).into()
}

pub(crate) fn cos(x: f64) -> Exact {
    let (x, quarters) = reduced(x);
    circular(x, quarters + 1).into()
}

pub(crate) fn tan(x: f64) -> Exact {
    let (x, quarters) = reduced(x);
    (circular(x, quarters) / circular(x, quarters + 1)).into()
}

/// The angle of the point (x, y), which is on the right of 0 or above: by Newton's step from one in single precision.
fn angle(y: Double, x: Double) -> Double {
    let near = y.high.atan2(x.high);
    let (rest, quarters) = reduced(near);
    let (sine, cosine) = (circular(rest, quarters), circular(rest, quarters + 1));
    // The point turned back by that angle lies at a small one.
    let part = (y * cosine - x * sine) / (x * cosine + y * sine);
    Double::from(near) + part - part * part.square() / 3.0
}

/// √(1 − x²)
fn other(x: f64) -> Double {
    ((Double::ONE - Double::from(x)) * (Double::ONE + Double::from(x))).root()
}

pub(crate) fn atan(x: f64) -> Exact {
    angle(x.into(), Double::ONE).into()
}

pub(crate) fn asin(x: f64) -> Exact {
    angle(x.into(), other(x)).into()
}

pub(crate) fn acos(x: f64) -> Exact {
    angle(other(x), x.into()).into()
}

/// A size between ½ and 1, and the power of two that `x` is times that.
fn parts(x: f64) -> (f64, i32) {
    let (x, shift) = if x.abs() < f64::MIN_POSITIVE { (x.abs() * 2f64.powi(60), -60) } else { (x.abs(), 0) };
    let exponent = (x.to_bits() >> 52) as i32 - 1022;
    (scaled(x, -exponent), exponent + shift)
}

pub(crate) fn hypot(x: f64, y: f64) -> Exact {
    let exponent = parts(x).1.max(parts(y).1);
    // Below 2⁻³⁰⁰ of the other, one is as good as none; scaling keeps the rest.
    let [x, y] = [x, y].map(|side| {
        let (size, own) = parts(side);
        Double::from(if own - exponent < -300 { 0.0 } else { scaled(size, own - exponent) })
    });
    Exact { value: (x.square() + y.square()).root(), exponent }
}

/// By Newton's steps from a root in single precision.
pub(crate) fn cbrt(x: f64) -> Exact {
    let (size, exponent) = parts(x);
    let third = exponent.div_euclid(3);
    let t = Double::from(scaled(size, exponent - 3 * third));
    let mut root = Double::from(t.high.powf(1.0 / 3.0));
    for _ in 0..2 {
        root = root - (root.square() * root - t) / (root.square() * 3.0);
    }
    Exact { value: if x < 0.0 { -root } else { root }, exponent: third }
}

pub(crate) fn atan2(y: f64, x: f64) -> Exact {
    let ((y_size, y_exponent), (x_size, x_exponent)) = (parts(y), parts(x));
    let size = Double::from(y_size) / Double::from(x_size);
    if y_exponent - x_exponent < -120 && x > 0.0 {
        // The quotient differs from its arctangent by less than 2⁻²⁴⁰ of it.
        return Exact { value: size * y.signum(), exponent: y_exponent - x_exponent };
    }
    // Far below the other, a coordinate is as good as none.
    let most = y_exponent.max(x_exponent);
    let near = |size: f64, exponent: i32| Double::from(scaled(size, (exponent - most).max(-400)));
    let (above, beside) = (near(y_size, y_exponent), near(x_size, x_exponent));
    let angle = angle(above, if x < 0.0 { -beside } else { beside });
    Exact::from(if y < 0.0 { -angle } else { angle })
}

/// Of a positive number.
pub(crate) fn pow(x: f64, y: f64) -> Exact {
    exp_of(log_of(x) * y)
}
