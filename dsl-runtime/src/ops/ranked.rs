//! What stands at a place of the order, without sorting the rest.

use std::ops::Not;

use super::sort::Key;
use crate::exec::context::Context;
use crate::lang::fault::{Fault, Position};
use crate::store::vector::growable::with_capacity;

/// Numbers that have an order, by their digits.
pub trait Ranked: Copy {
    /// What is selected of: the digits compare as the numbers do.
    type Digits: Copy + Ord + Not<Output = Self::Digits>;

    /// The digits of the number.
    fn digits(self) -> Self::Digits;

    /// The number of these digits.
    fn of_digits(digits: Self::Digits) -> Self;
}

impl<K: Key> Ranked for K {
    type Digits = u64;

    #[inline(always)]
    fn digits(self) -> u64 {
        Key::digits(self)
    }

    #[inline(always)]
    fn of_digits(digits: u64) -> K {
        Key::of_digits(digits)
    }
}

impl Ranked for i128 {
    type Digits = i128;

    #[inline(always)]
    fn digits(self) -> i128 {
        self
    }

    #[inline(always)]
    fn of_digits(digits: i128) -> i128 {
        digits
    }
}

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
pub fn ranked<K: Ranked>(
    cx: &Context,
    numbers: &[K],
    place: i64,
    line: u32,
    column: u32,
) -> Result<(K, K), Fault> {
    let Some(last) = numbers.len().checked_sub(1) else {
        return Err(Fault::empty(Position { line, column }));
    };
    let place = place.clamp(0, last as i64) as usize;
    // At an end of the order the numbers between it and the place are few: the others are only looked at.
    let (below, above) = ((place + 2).min(numbers.len()), numbers.len() - place);
    let few = numbers.len() / FEW;
    let digits = numbers.iter().map(|number| number.digits());
    let (at, next) = if above <= few {
        let mut digits = least(cx, digits.map(|digits| !digits), above)?;
        let (nearer, &mut at, _) = digits.select_nth_unstable(above - 1);
        let next = nearer.iter().copied().max().unwrap_or(at);
        cx.discharge(digits.capacity() * size_of::<K::Digits>());
        (!at, !next)
    } else {
        let mut digits = if below <= few {
            least(cx, digits, below)?
        } else {
            let mut all = with_capacity(cx, numbers.len())?;
            all.extend(digits);
            all
        };
        let (_, &mut at, above) = digits.select_nth_unstable(place);
        let next = above.iter().copied().min().unwrap_or(at);
        cx.discharge(digits.capacity() * size_of::<K::Digits>());
        (at, next)
    };
    Ok((K::of_digits(at), K::of_digits(next)))
}

/// Up to which part of all numbers those at an end of the order are few.
const FEW: usize = 16;

/// The `count` least of `numbers`, of which there are as many, in any order. A few times as many are kept, and selected of whenever their room
/// is full, as `TopKSelector` of Guava does: a number above the greatest of those that were selected costs one comparison.
fn least<D: Copy + Ord>(
    cx: &Context,
    numbers: impl Iterator<Item = D>,
    count: usize,
) -> Result<Vec<D>, Fault> {
    let room = 4 * count + 64;
    let mut kept = with_capacity(cx, room)?;
    let mut bound = None;
    for number in numbers {
        if bound.is_some_and(|bound| number >= bound) {
            continue;
        }
        kept.push(number);
        if kept.len() == room {
            bound = Some(*kept.select_nth_unstable(count - 1).1);
            kept.truncate(count);
        }
    }
    kept.select_nth_unstable(count - 1);
    kept.truncate(count);
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::{Key, ranked};
    use crate::exec::context::Context;

    #[test]
    fn every_place_is_that_of_sorting() {
        let cx = Context::ambient();
        let mixed = |i: i64| i.wrapping_mul(0x5851_F42D_4C95_7F2D) >> 40;
        for order in ["ascending", "descending", "mixed", "of few"] {
            let of = |i: i64| match order {
                "ascending" => i,
                "descending" => -i,
                "mixed" => mixed(i),
                _ => mixed(i) % 3,
            };
            let numbers: Vec<i64> = (0..3000).map(of).collect();
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            for place in (0..250).chain(2750..3000).chain([1500]) {
                let next = sorted[(place + 1).min(2999)];
                assert_eq!(
                    ranked(cx, &numbers, place as i64, 1, 1).unwrap(),
                    (sorted[place], next),
                    "{order} {place}"
                );
                let wide = |number: i64| i128::from(number) << 64;
                let widened: Vec<i128> = numbers.iter().map(|&number| wide(number)).collect();
                assert_eq!(
                    ranked(cx, &widened, place as i64, 1, 1).unwrap(),
                    (wide(sorted[place]), wide(next))
                );
            }
        }
    }

    #[test]
    fn what_is_held_for_it_is_given_back() {
        let options = crate::exec::options::Options::new().memory_limit(1 << 20);
        let cx = Context::new(&options);
        let numbers: Vec<u8> = (0..10_000).map(|i| (i % 251) as u8).collect();
        for _ in 0..100 {
            for place in [0, 5000, 9999] {
                assert!(ranked(&cx, &numbers, place, 1, 1).is_ok());
            }
        }
    }

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
