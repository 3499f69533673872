//! Decimal numbers of programs, as Rust has them.

#![expect(unsafe_code, reason = "compiled programs read memory as the struct says")]

use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};
use std::str::FromStr;

use crate::__structure;
use crate::lang::decimal::{self, Scale};
use crate::lang::types::Name;

pub use crate::lang::decimal::NoFixed;

/// A decimal number with `S` digits behind the point, 0 to 18: `Fixed<S>` in programs. It is an i64 in memory, in units of the last digit,
/// so that sums of money are exact.
///
/// ```
/// use weldment_runtime::api::fixed::Fixed;
/// let price: Fixed<2> = "12.34".parse().expect("a number");
/// assert_eq!((price.raw(), price + Fixed::from_raw(1)), (1234, Fixed::from_raw(1235)));
/// assert_eq!((price * -3).to_string(), "-37.02");
/// ```
///
/// More digits do not fit an i64:
///
/// ```compile_fail
/// use weldment_runtime::api::fixed::Fixed;
/// Fixed::<19>::from_raw(1);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Fixed<const S: u32>(#[doc(hidden)] pub i64);

__structure! { [const S: u32] (Fixed<S>) [] [] { 0: i64, } named Name::Fixed(Fixed::<S>::SCALE) }

impl<const S: u32> Fixed<S> {
    /// How many digits there are behind the point.
    pub const SCALE: Scale = match Scale::new(S) {
        Some(scale) => scale,
        None => panic!("the scale of a `Fixed` is 0 to 18: an i64 has no more digits behind the point"),
    };

    /// The smallest number.
    pub const MIN: Fixed<S> = Fixed::from_raw(i64::MIN);

    /// The largest number.
    pub const MAX: Fixed<S> = Fixed::from_raw(i64::MAX);

    /// So many units of the last digit.
    pub const fn from_raw(units: i64) -> Fixed<S> {
        const { Self::SCALE };
        Fixed(units)
    }

    /// How many units of the last digit it is.
    ///
    /// ```
    /// # use weldment_runtime::api::fixed::Fixed;
    /// assert_eq!("-0.50".parse::<Fixed<2>>().map(Fixed::raw), Ok(-50));
    /// ```
    pub const fn raw(self) -> i64 {
        self.0
    }

    /// The nearest f64, or the one beside it where there are more than 2^53 units.
    ///
    /// ```
    /// # use weldment_runtime::api::fixed::Fixed;
    /// assert_eq!(Fixed::<2>::from_raw(-1234).to_f64(), -12.34);
    /// ```
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / Self::SCALE.one() as f64
    }

    /// The number of this scale that is nearest to what the float is in binary, of two the even one; `None` if it is NaN or too large.
    ///
    /// ```
    /// # use weldment_runtime::api::fixed::Fixed;
    /// assert_eq!(Fixed::<2>::from_f64(1.005), Some(Fixed::from_raw(100)));
    /// assert_eq!(Fixed::<2>::from_f64(1e17), None);
    /// ```
    pub fn from_f64(x: f64) -> Option<Fixed<S>> {
        decimal::of_f64(x, Self::SCALE).map(Fixed)
    }

    /// The same number with `T` digits behind the point, rounded to the nearest, and of two to the even one; `None` if it is too large.
    ///
    /// ```
    /// # use weldment_runtime::api::fixed::Fixed;
    /// let price: Fixed<3> = "12.345".parse().expect("a number");
    /// assert_eq!(price.rescale::<2>().map(|price| price.to_string()), Some("12.34".to_owned()));
    /// ```
    pub fn rescale<const T: u32>(self) -> Option<Fixed<T>> {
        decimal::rescaled(self.0, Self::SCALE, Fixed::<T>::SCALE).map(Fixed)
    }

    /// The sum; `None` if it is too large.
    pub fn checked_add(self, other: Fixed<S>) -> Option<Fixed<S>> {
        self.0.checked_add(other.0).map(Fixed)
    }

    /// The difference; `None` if it is too large.
    pub fn checked_sub(self, other: Fixed<S>) -> Option<Fixed<S>> {
        self.0.checked_sub(other.0).map(Fixed)
    }

    /// So many times the number; `None` if that is too large.
    pub fn checked_mul(self, n: i64) -> Option<Fixed<S>> {
        self.0.checked_mul(n).map(Fixed)
    }

    /// The quotient, rounded to the nearest, and of two to the even one; `None` if `n` is zero, or the quotient too large.
    ///
    /// ```
    /// # use weldment_runtime::api::fixed::Fixed;
    /// let price: Fixed<2> = "0.25".parse().expect("a number");
    /// assert_eq!(price.checked_div_round(2), Some(Fixed::from_raw(12)));
    /// ```
    pub fn checked_div_round(self, n: i64) -> Option<Fixed<S>> {
        decimal::divided(self.0, n).map(Fixed)
    }
}

/// Where a program has the fault Overflow.
fn too_large<const S: u32>(number: Option<Fixed<S>>) -> Fixed<S> {
    number.unwrap_or_else(|| panic!("overflow: more than a `{}` holds", Fixed::<S>::SCALE.name()))
}

/// Panics where it is too large, as programs fault.
impl<const S: u32> Add for Fixed<S> {
    type Output = Fixed<S>;

    fn add(self, other: Fixed<S>) -> Fixed<S> {
        too_large(self.checked_add(other))
    }
}

/// Panics where it is too large, as programs fault.
impl<const S: u32> Sub for Fixed<S> {
    type Output = Fixed<S>;

    fn sub(self, other: Fixed<S>) -> Fixed<S> {
        too_large(self.checked_sub(other))
    }
}

/// Panics where it is too large, as programs fault.
impl<const S: u32> Mul<i64> for Fixed<S> {
    type Output = Fixed<S>;

    fn mul(self, n: i64) -> Fixed<S> {
        too_large(self.checked_mul(n))
    }
}

/// Panics where it is too large, as programs fault.
impl<const S: u32> Mul<Fixed<S>> for i64 {
    type Output = Fixed<S>;

    fn mul(self, number: Fixed<S>) -> Fixed<S> {
        number * self
    }
}

/// Panics where it is too large, as programs fault.
impl<const S: u32> Neg for Fixed<S> {
    type Output = Fixed<S>;

    fn neg(self) -> Fixed<S> {
        too_large(self.0.checked_neg().map(Fixed))
    }
}

/// `-12.34`, with all digits behind the point.
impl<const S: u32> fmt::Display for Fixed<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        decimal::show(self.0.into(), Self::SCALE, f)
    }
}

/// As it is displayed.
impl<const S: u32> fmt::Debug for Fixed<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `-12.34`: digits, behind a sign or none, and behind a point as many digits as the type has, or fewer. Further ones are zeros.
impl<const S: u32> FromStr for Fixed<S> {
    type Err = NoFixed;

    fn from_str(text: &str) -> Result<Fixed<S>, NoFixed> {
        decimal::read(text, Self::SCALE).map(Fixed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::element::Element;
    use crate::key::hash::Key;
    use crate::lang::types::Type;

    #[test]
    fn it_is_the_struct_of_its_units() {
        let price: Fixed<2> = "-12.34".parse().unwrap();
        assert_eq!(Element::to_value(&price).to_string(), "(-1234,)");
        assert_eq!(<Fixed<2> as Element>::from_value(&Element::to_value(&price)), Some(price));
        assert_eq!((<Fixed<2> as Element>::ty().to_string(), Fixed::<2>::BITS), ("Fixed<2>".to_owned(), 64));
        let ty = <Fixed<2> as Element>::ty();
        assert!(<Fixed<2> as Element>::is(&ty) && !<Fixed<3> as Element>::is(&ty));
        assert!(!<Fixed<2> as Element>::is(&Type::structure([Type::I64])));
        assert_eq!((size_of::<Fixed<2>>(), align_of::<Fixed<2>>()), (size_of::<i64>(), align_of::<i64>()));
    }

    #[test]
    fn arithmetic_is_that_of_the_units() {
        let [a, b] = ["1.10", "-2.25"].map(|text| text.parse::<Fixed<2>>().unwrap());
        assert_eq!([a + b, a - b, -a, 3 * b].map(Fixed::raw), [-115, 335, -110, -675]);
        assert_eq!((Fixed::<2>::MAX.checked_add(a), Fixed::<2>::MIN.checked_sub(a)), (None, None));
        assert_eq!(
            (format!("{a:?} {b}"), Fixed::<0>::MAX.to_string()),
            ("1.10 -2.25".into(), i64::MAX.to_string())
        );
    }

    #[test]
    #[should_panic(expected = "overflow: more than a `Fixed<2>` holds")]
    fn what_is_too_large_panics() {
        let _ = -Fixed::<2>::MIN;
    }
}
