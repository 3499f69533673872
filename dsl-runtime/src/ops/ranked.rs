//! What stands at a place of the order, without sorting the rest.

use super::sort::Key;
use crate::exec::context::Context;
use crate::lang::fault::{Fault, Position};
use crate::store::vector::growable::with_capacity;

/// The number that has this place in ascending order, counted from 0, and the one behind it; of the last one both are the same.
/// A place outside is the nearest one. NaN is last, and −0.0 is 0.0.
///
/// ```
/// use weldment_runtime::exec::context::Context;
/// use weldment_runtime::ops::ranked::ranked;
///
/// let cx = Context::ambient();
/// assert_eq!(ranked(cx, &[7i64, 2, 5], 1, 1, 1).unwrap(), (5, 7));
/// assert_eq!(ranked(cx, &[7i64, 2, 5], 9, 1, 1).unwrap(), (7, 7));
/// ```
///
/// # Errors
/// The fault that there are no numbers, or no memory for a copy of them.
pub fn ranked<K: Key>(
    cx: &Context,
    numbers: &[K],
    place: i64,
    line: u32,
    column: u32,
) -> Result<(K, K), Fault> {
    let Some(last) = numbers.len().checked_sub(1) else {
        return Err(Fault::empty(Position { line, column }));
    };
    let mut digits = with_capacity(cx, numbers.len())?;
    digits.extend(numbers.iter().map(|number| number.digits()));
    let (_, &mut at, above) = digits.select_nth_unstable(place.clamp(0, last as i64) as usize);
    let next = above.iter().copied().min().unwrap_or(at);
    cx.discharge(size_of_val(&digits[..]));
    Ok((K::of_digits(at), K::of_digits(next)))
}

#[cfg(test)]
mod tests {
    use super::Key;

    #[test]
    fn a_number_has_the_digits_that_give_it() {
        for x in
            [0.0, 1.5, -1.5, f64::MIN, f64::MAX, f64::INFINITY, -f64::INFINITY, f64::MIN_POSITIVE, f64::NAN]
        {
            assert_eq!(f64::of_digits(x.digits()).to_bits(), x.to_bits(), "{x}");
            assert_eq!(f32::of_digits((x as f32).digits()).to_bits(), (x as f32).to_bits(), "{x}");
        }
        assert_eq!(f64::of_digits((-0.0f64).digits()).to_bits(), 0);
        assert_eq!(f64::of_digits((-f64::NAN).digits()).to_bits(), f64::NAN.to_bits());
        for x in [i64::MIN, -1, 0, 7, i64::MAX] {
            assert_eq!(i64::of_digits(x.digits()), x);
            assert_eq!(u8::of_digits((x as u8).digits()), x as u8);
            assert_eq!(i16::of_digits((x as i16).digits()), x as i16);
        }
    }
}
