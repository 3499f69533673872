//! The arithmetic of integers: it wraps, but for division, which faults.

use super::{Integer, Number, select};
use crate::lang::fault::FaultKind;

macro_rules! integer {
    ($($ty:ident $signed:literal)*) => {$(
        impl Number for $ty {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn negate(self) -> Self {
                self.wrapping_neg()
            }
            #[inline(always)]
            fn least(self, other: Self) -> Self {
                select(other < self, other, self)
            }
            #[inline(always)]
            fn greatest(self, other: Self) -> Self {
                select(other > self, other, self)
            }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn absolute(self) -> Self {
                if self < 0 { self.wrapping_neg() } else { self }
            }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn sign(self) -> Self {
                if self < 0 { (0 as $ty).wrapping_sub(1) } else { (self != 0) as $ty }
            }
            #[inline]
            #[allow(unused_comparisons)]
            fn power(self, exponent: Self) -> Self {
                if exponent < 0 {
                    return match self {
                        1 => 1,
                        _ if $signed && self == (0 as $ty).wrapping_sub(1) => {
                            if exponent & 1 == 0 { 1 } else { self }
                        }
                        _ => 0,
                    };
                }
                let (mut base, mut exponent, mut power) = (self, exponent, 1 as $ty);
                while exponent > 0 {
                    if exponent & 1 == 1 {
                        power = power.wrapping_mul(base);
                    }
                    base = base.wrapping_mul(base);
                    exponent >>= 1;
                }
                power
            }
        }

        impl Integer for $ty {
            #[inline(always)]
            fn checked_quotient(self, divisor: Self) -> Result<Self, FaultKind> {
                match self.checked_div(divisor) {
                    Some(quotient) => Ok(quotient),
                    None if divisor == 0 => Err(FaultKind::DivisionByZero),
                    None => Err(FaultKind::Overflow),
                }
            }
            #[inline(always)]
            fn checked_remainder(self, divisor: Self) -> Result<Self, FaultKind> {
                match self.checked_rem(divisor) {
                    Some(remainder) => Ok(remainder),
                    None if divisor == 0 => Err(FaultKind::DivisionByZero),
                    None => Err(FaultKind::Overflow),
                }
            }
            #[inline(always)]
            fn shift_left(self, count: Self) -> Self {
                self.wrapping_shl(count as u32)
            }
            #[inline(always)]
            fn shift_right(self, count: Self) -> Self {
                self.wrapping_shr(count as u32)
            }
        }
    )*};
}

macro_rules! each {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => { $(each!($kind $ty $bits);)* };
    (Signed $ty:ident $bits:ident) => { integer!($ty true); };
    (Unsigned $ty:ident $bits:ident) => { integer!($ty false); };
    ($kind:ident $ty:ident $bits:ident) => {};
}

crate::scalar_types!(each);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_powers_wrap_and_truncate() {
        assert_eq!(3i64.power(4), 81);
        assert_eq!(2i8.power(7), -128);
        assert_eq!((-1i32).power(-3), -1);
        assert_eq!(2i32.power(-1), 0);
        assert_eq!(255u8.power(2), 1);
    }

    #[test]
    fn shifts_mask_their_count() {
        assert_eq!(1i32.shift_left(33), 2);
        assert_eq!((-8i8).shift_right(1), -4);
        assert_eq!(200u8.shift_right(9), 100);
    }
}
