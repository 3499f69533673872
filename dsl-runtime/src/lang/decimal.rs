//! Decimal numbers that are an i64 of units: how many digits they have behind the point, how they are read, shown and rounded.
//!
//! What is rounded goes to the nearest number, and from the middle between two to the even one, as is the convention for money.

use std::fmt;

/// How many digits there are behind the point: 0 to 18.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scale(u8);

/// The names of the types, by scale.
const NAMES: [&str; 19] = [
    "Fixed<0>",
    "Fixed<1>",
    "Fixed<2>",
    "Fixed<3>",
    "Fixed<4>",
    "Fixed<5>",
    "Fixed<6>",
    "Fixed<7>",
    "Fixed<8>",
    "Fixed<9>",
    "Fixed<10>",
    "Fixed<11>",
    "Fixed<12>",
    "Fixed<13>",
    "Fixed<14>",
    "Fixed<15>",
    "Fixed<16>",
    "Fixed<17>",
    "Fixed<18>",
];

impl Scale {
    /// The most digits: an i64 has no more, whatever they are.
    pub const MOST: u32 = 18;

    /// So many digits, if there can be as many.
    ///
    /// ```
    /// # use weldment_runtime::lang::decimal::Scale;
    /// assert_eq!(Scale::new(2).map(Scale::digits), Some(2));
    /// assert_eq!(Scale::new(19), None);
    /// ```
    pub const fn new(digits: u32) -> Option<Scale> {
        if digits <= Scale::MOST { Some(Scale(digits as u8)) } else { None }
    }

    /// How many digits.
    pub const fn digits(self) -> u32 {
        self.0 as u32
    }

    /// How many units one has: a power of ten.
    ///
    /// ```
    /// # use weldment_runtime::lang::decimal::Scale;
    /// assert_eq!(Scale::new(2).map(Scale::one), Some(100));
    /// ```
    pub const fn one(self) -> i64 {
        10_i64.pow(self.digits())
    }

    /// The units of the decimal number that a text is: see [`read`].
    ///
    /// # Errors
    /// If it is none of this scale.
    pub fn read(self, text: &str) -> Result<i64, NoFixed> {
        read(text, self)
    }

    /// So many units as a decimal number: see [`show`].
    ///
    /// ```
    /// # use weldment_runtime::lang::decimal::Scale;
    /// assert_eq!(Scale::new(2).map(|cents| cents.shown(-1230)), Some("-12.30".to_owned()));
    /// ```
    pub fn shown(self, units: i64) -> String {
        let mut text = String::new();
        show(units.into(), self, &mut text).expect("writing to a string does not fail");
        text
    }

    /// The name of the type.
    ///
    /// ```
    /// # use weldment_runtime::lang::decimal::Scale;
    /// assert_eq!(Scale::new(2).map(Scale::name), Some("Fixed<2>"));
    /// ```
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }

    /// That of the type with this name.
    ///
    /// ```
    /// # use weldment_runtime::lang::decimal::Scale;
    /// assert_eq!((Scale::from_name("Fixed<18>"), Scale::from_name("Fixed<19>")), (Scale::new(18), None));
    /// ```
    pub fn from_name(name: &str) -> Option<Scale> {
        NAMES.iter().position(|known| *known == name).and_then(|digits| Scale::new(digits as u32))
    }
}

/// Why a text is no number of a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoFixed {
    /// It is no decimal number.
    Text,
    /// It has more digits behind the point than the type.
    Digits(Scale),
    /// It is larger than the type holds.
    Range(Scale),
}

impl fmt::Display for NoFixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoFixed::Text => f.write_str("expected a decimal number, such as -12.34"),
            NoFixed::Digits(scale) => {
                let (name, digits) = (scale.name(), scale.digits());
                let plural = if digits == 1 { "" } else { "s" };
                write!(f, "a `{name}` has {digits} digit{plural} behind the point, and this number has more")
            }
            NoFixed::Range(scale) => {
                write!(f, "a `{}` goes from ", scale.name())?;
                show(i64::MIN.into(), *scale, f)?;
                f.write_str(" to ")?;
                show(i64::MAX.into(), *scale, f)
            }
        }
    }
}

impl std::error::Error for NoFixed {}

/// The units of the decimal number that a text is: digits, behind a sign or none, and behind a point more digits or none. What is behind
/// those that the scale has must be zeros.
///
/// ```
/// # use weldment_runtime::lang::decimal::{NoFixed, Scale, read};
/// let cents = Scale::new(2).expect("a scale");
/// assert_eq!((read("-12.3", cents), read("12.340", cents)), (Ok(-1230), Ok(1234)));
/// assert_eq!((read("12.345", cents), read("1e2", cents)), (Err(NoFixed::Digits(cents)), Err(NoFixed::Text)));
/// ```
///
/// # Errors
/// If it is none of the scale.
pub fn read(text: &str, scale: Scale) -> Result<i64, NoFixed> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, behind) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits(whole) || !are_digits(behind) {
        return Err(NoFixed::Text);
    }
    let digits = scale.digits() as usize;
    if behind.bytes().skip(digits).any(|byte| byte != b'0') {
        return Err(NoFixed::Digits(scale));
    }
    let behind = behind.bytes().chain(std::iter::repeat(b'0')).take(digits);
    // From the first digit on of the sign that the number has: the smallest has no counterpart.
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let mut units = 0_i64;
    for byte in whole.bytes().chain(behind) {
        let more = units.checked_mul(10).and_then(|units| units.checked_add(sign * i64::from(byte - b'0')));
        units = more.ok_or(NoFixed::Range(scale))?;
    }
    Ok(units)
}

/// Writes so many units as a decimal number with all digits that the scale has: `-12.30`.
pub fn show(units: i128, scale: Scale, out: &mut impl fmt::Write) -> fmt::Result {
    let (size, one) = (units.unsigned_abs(), scale.one() as u128);
    let sign = if units < 0 { "-" } else { "" };
    match scale.digits() as usize {
        0 => write!(out, "{sign}{size}"),
        digits => write!(out, "{sign}{}.{:0digits$}", size / one, size % one),
    }
}

/// `a / b`, rounded; `None` if that is no i64, or `b` is zero.
///
/// ```
/// # use weldment_runtime::lang::decimal::divided;
/// assert_eq!([5, 15, -5, 16].map(|a| divided(a, 10)), [Some(0), Some(2), Some(0), Some(2)]);
/// ```
pub fn divided(a: i64, b: i64) -> Option<i64> {
    let (quotient, rest) = (a.checked_div(b)?, a.wrapping_rem(b));
    let (rest, by) = (rest.unsigned_abs(), b.unsigned_abs());
    let is_up = rest > by - rest || (rest == by - rest && quotient % 2 != 0);
    let away = if (a < 0) == (b < 0) { 1 } else { -1 };
    Some(if is_up { quotient + away } else { quotient })
}

/// So many units of one scale, in another, rounded; `None` if they are more than an i64 holds.
pub fn rescaled(units: i64, from: Scale, to: Scale) -> Option<i64> {
    match to.digits().checked_sub(from.digits()) {
        Some(more) => units.checked_mul(10_i64.pow(more)),
        None => divided(units, 10_i64.pow(from.digits() - to.digits())),
    }
}

/// The units of a float, of the number that it is in binary exactly, rounded; `None` if they are more than an i64 holds, or it is NaN.
///
/// ```
/// # use weldment_runtime::lang::decimal::{Scale, of_f64};
/// let cents = Scale::new(2).expect("a scale");
/// // The f64 next to 1.005 is below it, and 0.125 is one itself.
/// assert_eq!([1.005, 0.125, -0.375].map(|x| of_f64(x, cents)), [Some(100), Some(12), Some(-38)]);
/// assert_eq!((of_f64(1e17, cents), of_f64(f64::NAN, cents)), (None, None));
/// ```
pub fn of_f64(x: f64, scale: Scale) -> Option<i64> {
    const MANTISSA: u32 = f64::MANTISSA_DIGITS - 1;
    if !x.is_finite() {
        return None;
    }
    let bits = x.abs().to_bits();
    let (exponent, fraction) = ((bits >> MANTISSA) as i32, bits & ((1 << MANTISSA) - 1));
    // Of the smallest floats the first bit is not there.
    let mantissa = if exponent == 0 { fraction } else { fraction | 1 << MANTISSA };
    let exponent = exponent.max(1) - (f64::MAX_EXP - 1) - MANTISSA as i32;
    // Below 2^113.
    let units = i128::from(mantissa) * i128::from(scale.one());
    let size = match exponent {
        _ if mantissa == 0 => 0,
        0.. => {
            if exponent > 11 {
                return None;
            }
            units << exponent
        }
        -120..0 => {
            let (quotient, rest) = (units >> -exponent, units & ((1 << -exponent) - 1));
            let half = 1 << (-exponent - 1);
            quotient + i128::from(rest > half || (rest == half && quotient % 2 != 0))
        }
        _ => 0,
    };
    i64::try_from(if x < 0.0 { -size } else { size }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(digits: u32) -> Scale {
        Scale::new(digits).unwrap()
    }

    fn shown(units: i128, digits: u32) -> String {
        let mut text = String::new();
        show(units, scale(digits), &mut text).unwrap();
        text
    }

    /// Numbers of all sizes.
    fn spread() -> Vec<i64> {
        let ends = [i64::MIN, i64::MIN + 1, i64::MAX, 0, 1, -1, 5, -5, 15, 25, -25];
        let all = (0..63).flat_map(|bits| [1 << bits, -(1 << bits), (1 << bits) - 1, 5 * (1 << bits >> 3)]);
        ends.into_iter().chain(all).collect()
    }

    #[test]
    fn what_is_shown_is_read_again() {
        for units in spread() {
            for digits in 0..=Scale::MOST {
                assert_eq!(read(&shown(units.into(), digits), scale(digits)), Ok(units), "{units} {digits}");
            }
        }
        assert_eq!((shown(-5, 2), shown(5, 0), shown(-120, 1)), ("-0.05".into(), "5".into(), "-12.0".into()));
        assert_eq!(shown(i64::MIN.into(), 18), "-9.223372036854775808");
    }

    #[test]
    fn what_is_no_number_says_why() {
        let texts = ["", "-", ".5", "5.", "1.2.3", "1e2", " 1", "--1", "١", "0x1", "1,5"];
        assert!(texts.iter().all(|text| read(text, scale(2)) == Err(NoFixed::Text)));
        assert_eq!(read("+1.5", scale(2)), Ok(150));
        assert_eq!(read("0.001", scale(2)), Err(NoFixed::Digits(scale(2))));
        assert_eq!(read("92233720368547758.08", scale(2)), Err(NoFixed::Range(scale(2))));
        assert_eq!(
            NoFixed::Range(scale(2)).to_string(),
            "a `Fixed<2>` goes from -92233720368547758.08 to 92233720368547758.07"
        );
        assert_eq!(
            NoFixed::Digits(scale(1)).to_string(),
            "a `Fixed<1>` has 1 digit behind the point, and this number has more"
        );
    }

    /// The nearest integer to `a / b`, and of two the even one: of what is twice as near in 128 bits.
    fn nearest(a: i128, b: i128) -> i128 {
        let down = a.div_euclid(b);
        let near = [down - 1, down, down + 1, down + 2];
        let distance = |n: &i128| ((a - n * b).abs(), n.rem_euclid(2));
        near.into_iter().min_by_key(distance).unwrap()
    }

    #[test]
    fn quotients_are_the_nearest() {
        for a in spread() {
            for b in spread().into_iter().filter(|&b| b != 0) {
                let exact = i64::try_from(nearest(a.into(), b.into())).ok();
                assert_eq!(divided(a, b), exact, "{a} / {b}");
            }
        }
        assert_eq!(divided(7, 0), None);
    }

    #[test]
    fn scales_change_to_the_nearest() {
        for units in spread() {
            for (from, to) in (0..=18).flat_map(|from| (0..=18).map(move |to| (from, to))) {
                let exact = match to >= from {
                    true => i128::from(units) * 10_i128.pow(to - from),
                    false => nearest(units.into(), 10_i128.pow(from - to)),
                };
                assert_eq!(rescaled(units, scale(from), scale(to)), i64::try_from(exact).ok());
            }
        }
    }

    #[test]
    fn floats_are_rounded_as_they_are_in_binary() {
        // Floats that are a number of 64ths: what they are is exact in 128 bits.
        for sixty_fourths in spread().into_iter().filter(|n| n.unsigned_abs() < 1 << 53) {
            for digits in 0..=Scale::MOST {
                let exact = nearest(i128::from(sixty_fourths) * 10_i128.pow(digits), 64);
                let float = sixty_fourths as f64 / 64.0;
                assert_eq!(of_f64(float, scale(digits)), i64::try_from(exact).ok(), "{float} {digits}");
            }
        }
        let small = [f64::MIN_POSITIVE, 5e-324, 4.9e-19, 5.1e-19, -5.1e-19, 0.0, -0.0];
        assert_eq!(small.map(|x| of_f64(x, scale(18))), [0, 0, 0, 1, -1, 0, 0].map(Some));
        let ends = [-9.223372036854775e18, i64::MIN as f64, i64::MAX as f64, f64::INFINITY];
        assert_eq!(
            ends.map(|x| of_f64(x, scale(0))),
            [Some(-9223372036854774784), Some(i64::MIN), None, None]
        );
    }
}
