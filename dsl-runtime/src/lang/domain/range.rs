//! The coordinates along one axis.

use std::fmt;
use std::iter::FusedIterator;

/// No domain has more points than this, so that the arithmetic of coordinates and positions does not wrap.
pub const MOST_POINTS: u64 = 1 << 48;

/// The coordinates `lower`, `lower + step`, … along one axis: `extent` of them, with a step of at least 1.
///
/// A range of one coordinate, or of none, has step 1, so that ranges that hold the same coordinates are equal, but for empty
/// ones, which keep their lower bound.
///
/// ```
/// use weldment_runtime::lang::domain::Range;
///
/// let odd = Range::new(1, 2, 4).unwrap();
/// assert_eq!(odd.iter().collect::<Vec<_>>(), [1, 3, 5, 7]);
/// assert_eq!(odd.intersect(Range::from_bounds(2, 6).unwrap()).iter().collect::<Vec<_>>(), [3, 5]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    pub(crate) lower: i64,
    pub(crate) step: i64,
    pub(crate) extent: u64,
}

impl Range {
    /// `None` if the step is below 1, if there are more than [`MOST_POINTS`], or if a coordinate is no `i64`.
    #[must_use]
    pub fn new(lower: i64, step: i64, extent: u64) -> Option<Range> {
        if step < 1 || extent > MOST_POINTS {
            return None;
        }
        let last = step.checked_mul(extent.saturating_sub(1) as i64)?.checked_add(lower)?;
        // The bound behind the last one is a coordinate that can be told, too.
        last.checked_add(1)?;
        Some(Range::made(lower, step, extent))
    }

    /// `0..extent`; `None` if there are more than [`MOST_POINTS`].
    #[must_use]
    pub fn of_extent(extent: u64) -> Option<Range> {
        Range::new(0, 1, extent)
    }

    /// `lower..upper`, empty where `lower >= upper`; `None` if there are more than [`MOST_POINTS`].
    #[must_use]
    pub fn from_bounds(lower: i64, upper: i64) -> Option<Range> {
        let extent = (i128::from(upper) - i128::from(lower)).max(0);
        Range::new(lower, 1, u64::try_from(extent).ok()?)
    }

    fn made(lower: i64, step: i64, extent: u64) -> Range {
        Range { lower, step: if extent > 1 { step } else { 1 }, extent }
    }

    /// The first coordinate, if there is one.
    #[must_use]
    pub fn lower(self) -> i64 {
        self.lower
    }

    /// From one coordinate to the next.
    #[must_use]
    pub fn step(self) -> i64 {
        self.step
    }

    /// The number of coordinates.
    #[must_use]
    pub fn extent(self) -> u64 {
        self.extent
    }

    /// Whether there are no coordinates.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.extent == 0
    }

    /// The coordinate at a position, which must be below [`Range::extent`].
    #[must_use]
    pub fn coordinate(self, position: u64) -> i64 {
        debug_assert!(position < self.extent);
        self.lower + self.step * position as i64
    }

    /// The position of a coordinate, if it is one of these.
    #[must_use]
    pub fn position(self, coordinate: i64) -> Option<u64> {
        let distance = i128::from(coordinate) - i128::from(self.lower);
        let step = i128::from(self.step);
        (distance >= 0 && distance % step == 0 && distance / step < i128::from(self.extent))
            .then(|| (distance / step) as u64)
    }

    /// The coordinates in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = i64> + DoubleEndedIterator + FusedIterator {
        // A count of at most 2^48 is an `isize`, so that the length is exact.
        (0..self.extent as usize).map(move |position| self.lower + self.step * position as i64)
    }

    /// The last coordinate, if there is one.
    #[must_use]
    pub fn last(self) -> Option<i64> {
        Some(self.coordinate(self.extent.checked_sub(1)?))
    }

    /// These coordinates moved by an offset; `None` if one is no `i64` then.
    #[must_use]
    pub fn shift(self, offset: i64) -> Option<Range> {
        Range::new(self.lower.checked_add(offset)?, self.step, self.extent)
    }

    /// The coordinates of both. Empty ones begin where `self` does.
    #[must_use]
    pub fn intersect(self, other: Range) -> Range {
        let none = Range::made(self.lower, 1, 0);
        let (Some(last), Some(other_last)) = (self.last(), other.last()) else { return none };
        let (a, b) = (i128::from(self.step), i128::from(other.step));
        let distance = i128::from(other.lower) - i128::from(self.lower);
        // lower + a x = other.lower + b y, for some x: the Chinese remainder theorem.
        let (divisor, inverse) = extended_gcd(a, b);
        if distance % divisor != 0 {
            return none;
        }
        let step = a / divisor * b;
        let x = (distance / divisor % (b / divisor) * inverse).rem_euclid(b / divisor);
        let first = i128::from(self.lower) + a * x;
        // Up to where both have begun.
        let least = i128::from(self.lower.max(other.lower));
        let first = first + (least - first).max(0).div_euclid(step) * step;
        let first = if first < least { first + step } else { first };
        let end = i128::from(last.min(other_last));
        if first > end {
            return none;
        }
        let extent = (end - first) / step + 1;
        // Of one coordinate the step may be no `i64`.
        Range::made(first as i64, i64::try_from(step).unwrap_or(1), extent as u64)
    }

    /// The coordinates that `other` does not have, as ranges that share none: those before and behind what both have, and what lies
    /// between in steps of theirs.
    #[must_use]
    pub fn difference(self, other: Range) -> Vec<Range> {
        let both = self.intersect(other);
        let Some(last) = both.last() else {
            return if self.is_empty() { Vec::new() } else { vec![self] };
        };
        let positions = |coordinate| self.position(coordinate).expect("what both have is in each");
        let (first, last) = (positions(both.lower), positions(last));
        let part = |from: u64, every: u64, extent: u64| {
            let lower = self.lower + self.step * from as i64;
            Range::made(lower, self.step * every as i64, extent)
        };
        let mut parts = vec![part(0, 1, first)];
        if both.extent > 1 {
            let every = (last - first) / (both.extent - 1);
            parts.extend((1..every).map(|offset| part(first + offset, every, both.extent - 1)));
        }
        if last + 1 < self.extent {
            parts.push(part(last + 1, 1, self.extent - last - 1));
        }
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// The least range that has all coordinates of both; `None` if it would have more than [`MOST_POINTS`].
    #[must_use]
    pub fn cover(self, other: Range) -> Option<Range> {
        let (Some(last), Some(other_last)) = (self.last(), other.last()) else {
            return Some(if self.is_empty() { other } else { self });
        };
        let (lower, last) = (self.lower.min(other.lower), last.max(other_last));
        let apart = (i128::from(self.lower) - i128::from(other.lower)).unsigned_abs();
        // A range of one coordinate fits any step.
        let of = |range: Range| if range.extent > 1 { range.step as u128 } else { 0 };
        let step = gcd(gcd(of(self), of(other)), apart).max(1);
        let span = (i128::from(last) - i128::from(lower)) as u128;
        Range::new(lower, i64::try_from(step).ok()?, u64::try_from(span / step + 1).ok()?)
    }

    /// Those below `coordinate`, and the others.
    #[must_use]
    pub fn split(self, coordinate: i64) -> (Range, Range) {
        let below = (i128::from(coordinate) - i128::from(self.lower)).max(0) as u128;
        let number = below.div_ceil(self.step as u128).min(u128::from(self.extent)) as u64;
        let lower = self.lower.saturating_add(self.step.saturating_mul(number as i64));
        (Range::made(self.lower, self.step, number), Range::made(lower, self.step, self.extent - number))
    }
}

/// `1..8 step 2`, as a slice of it is written.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let upper = self.last().map_or(self.lower, |last| last + 1);
        write!(f, "{}..{upper}", self.lower)?;
        if self.step > 1 { write!(f, " step {}", self.step) } else { Ok(()) }
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The greatest common divisor d of two positive numbers, and what `a / d` is multiplied by to give 1 modulo `b / d`.
fn extended_gcd(a: i128, b: i128) -> (i128, i128) {
    let (mut old, mut new) = ((a, 1), (b, 0));
    while new.0 != 0 {
        let quotient = old.0 / new.0;
        (old, new) = (new, (old.0 - quotient * new.0, old.1 - quotient * new.1));
    }
    (old.0, old.1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every range with a lower bound, a step and an extent of these.
    fn all(lower: i64, step: i64, extent: u64) -> Vec<Range> {
        let of =
            |lower| (1..=step).flat_map(move |step| (0..=extent).map(move |extent| (lower, step, extent)));
        (-lower..=lower)
            .flat_map(of)
            .filter_map(|(lower, step, extent)| Range::new(lower, step, extent))
            .collect()
    }

    fn set(range: Range) -> BTreeSet<i64> {
        range.iter().collect()
    }

    #[test]
    fn ranges_are_sets_of_coordinates() {
        // Miri would take minutes for all of them.
        let ranges = if cfg!(miri) { all(1, 2, 3) } else { all(4, 4, 5) };
        for &a in &ranges {
            for &b in &ranges {
                assert_eq!(set(a.intersect(b)), &set(a) & &set(b), "{a:?} {b:?}");
                let (rest, expected) = (a.difference(b), &set(a) - &set(b));
                assert_eq!(rest.iter().map(|part| part.extent()).sum::<u64>(), expected.len() as u64);
                assert_eq!(rest.into_iter().flat_map(set).collect::<BTreeSet<_>>(), expected, "{a:?} {b:?}");
                check_cover(a, b);
            }
        }
    }

    fn check_cover(a: Range, b: Range) {
        let (cover, both) = (a.cover(b).unwrap(), &set(a) | &set(b));
        let all = set(cover);
        assert!(both.is_subset(&all), "{a:?} {b:?}");
        assert_eq!((all.first(), all.last()), (both.first(), both.last()), "{a:?} {b:?}");
        // No longer step leads from the first to all others.
        let least = both.first().copied().unwrap_or(0);
        let fits = |step: i64| both.len() > 1 && both.iter().all(|x| (x - least) % step == 0);
        assert!(!(cover.step() + 1..40).any(fits), "{a:?} {b:?}");
    }

    #[test]
    fn positions_are_of_coordinates() {
        for range in all(3, 3, 4) {
            for at in -9..18 {
                let place = range.iter().position(|x| x == at).map(|place| place as u64);
                assert_eq!(range.position(at), place);
                assert_eq!(place.map(|place| range.coordinate(place)), place.map(|_| at));
                let moved: Vec<i64> = range.iter().map(|x| x + at).collect();
                assert_eq!(range.shift(at).unwrap().iter().collect::<Vec<_>>(), moved);
                let (below, others) = range.split(at);
                assert_eq!(set(below), set(range).into_iter().filter(|x| *x < at).collect());
                assert_eq!(set(others), set(range).into_iter().filter(|x| *x >= at).collect());
            }
        }
    }

    #[test]
    fn bounds_are_checked() {
        assert_eq!(Range::new(0, 0, 3), None);
        assert_eq!(Range::of_extent(MOST_POINTS + 1), None);
        assert_eq!(Range::new(i64::MAX, 1, 1), None);
        assert_eq!(Range::new(i64::MIN, i64::MAX, 3), None);
        assert_eq!(Range::from_bounds(i64::MIN, i64::MAX), None);
        assert!(Range::from_bounds(5, -5).unwrap().is_empty());
        let far = Range::new(i64::MIN, i64::MAX, 2).unwrap();
        assert_eq!((far.last(), far.position(i64::MAX), far.shift(-1)), (Some(-1), None, None));
        let other = Range::new(i64::MIN + 1, i64::MAX - 1, 2).unwrap();
        assert_eq!(far.intersect(other).iter().collect::<Vec<_>>(), [-1]);
        assert_eq!(far.cover(other), None);
    }

    #[test]
    fn one_coordinate_has_step_one() {
        assert_eq!(Range::new(4, 7, 1), Range::from_bounds(4, 5));
        assert_eq!(Range::new(4, 7, 0).unwrap().step(), 1);
    }
}
