//! Numbers of twice the precision: sums of two floats, right to some 2⁻¹⁰⁰.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `high + low`, where `low` is at most half an ulp of `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Double {
    pub(crate) high: f64,
    pub(crate) low: f64,
}

impl Double {
    pub(crate) const ZERO: Double = Double { high: 0.0, low: 0.0 };
    pub(crate) const ONE: Double = Double { high: 1.0, low: 0.0 };

    /// `high + low`, where `low` is far smaller.
    pub(crate) const fn new(high: f64, low: f64) -> Double {
        Double { high, low }
    }

    /// `x + y`, exactly.
    fn sum(x: f64, y: f64) -> Double {
        let high = x + y;
        let part = high - x;
        Double { high, low: (x - (high - part)) + (y - part) }
    }

    /// `x y`, exactly.
    pub(crate) fn product(x: f64, y: f64) -> Double {
        let high = x * y;
        Double { high, low: x.mul_add(y, -high) }
    }

    /// The same number, its parts apart again.
    fn normal(high: f64, low: f64) -> Double {
        let sum = high + low;
        Double { high: sum, low: low - (sum - high) }
    }

    pub(crate) fn square(self) -> Double {
        self * self
    }

    pub(crate) fn root(self) -> Double {
        if self.high == 0.0 {
            return self;
        }
        let near = Double::from(self.high.sqrt());
        near + (self - near.square()) / (near + near)
    }

    /// Times a power of two, where nothing is lost.
    pub(crate) fn scaled(self, exponent: i32) -> Double {
        Double { high: scaled(self.high, exponent), low: scaled(self.low, exponent) }
    }

    /// The sum of `term(1) + term(2) + …` beside `self`, until a term changes nothing.
    pub(crate) fn plus_series(self, mut term: impl FnMut(f64) -> Double) -> Double {
        let mut sum = self;
        for n in 1..1000 {
            let term = term(f64::from(n));
            sum = sum + term;
            if term.high.abs() <= sum.high.abs() * 1e-34 {
                return sum;
            }
        }
        panic!("a series that does not end");
    }
}

/// `x` times two to the power `exponent`.
pub(crate) fn scaled(x: f64, exponent: i32) -> f64 {
    let step = exponent.clamp(-1000, 1000);
    let x = x * f64::from_bits(((1023 + step) as u64) << 52);
    if step == exponent { x } else { scaled(x, exponent - step) }
}

impl From<f64> for Double {
    fn from(high: f64) -> Double {
        Double { high, low: 0.0 }
    }
}

impl Add for Double {
    type Output = Double;
    fn add(self, other: Double) -> Double {
        let (high, low) = (Double::sum(self.high, other.high), Double::sum(self.low, other.low));
        let sum = Double::normal(high.high, high.low + low.high);
        Double::normal(sum.high, sum.low + low.low)
    }
}

impl Neg for Double {
    type Output = Double;
    fn neg(self) -> Double {
        Double { high: -self.high, low: -self.low }
    }
}

impl Sub for Double {
    type Output = Double;
    fn sub(self, other: Double) -> Double {
        self + -other
    }
}

impl Mul for Double {
    type Output = Double;
    fn mul(self, other: Double) -> Double {
        let high = Double::product(self.high, other.high);
        let cross = self.high * other.low + self.low * other.high;
        Double::normal(high.high, high.low + cross)
    }
}

impl Mul<f64> for Double {
    type Output = Double;
    fn mul(self, other: f64) -> Double {
        self * Double::from(other)
    }
}

impl Div for Double {
    type Output = Double;
    fn div(self, other: Double) -> Double {
        let first = self.high / other.high;
        let rest = self - other * first;
        let second = rest.high / other.high;
        let rest = rest - other * second;
        Double::from(first) + Double::from(second) + Double::from(rest.high / other.high)
    }
}

impl Div<f64> for Double {
    type Output = Double;
    fn div(self, other: f64) -> Double {
        self / Double::from(other)
    }
}
