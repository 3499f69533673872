//! Where arrays have elements: products of ranges of coordinates.

mod range;
pub(crate) mod show;

use std::fmt;

pub use range::{MOST_POINTS, Range};

/// The points of an array of `N` dimensions: one [`Range`] for each axis. Their order is that of rows, the last axis first.
///
/// ```
/// use weldment_runtime::lang::domain::Domain;
///
/// let domain = Domain::of_shape([2, 3]).unwrap();
/// assert_eq!(domain.points().nth(4), Some([1, 1]));
/// assert_eq!(domain.position([1, 1]), Some(4));
/// assert_eq!(domain.position([2, 0]), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Domain<const N: usize> {
    pub(crate) ranges: [Range; N],
}

/// How many points there are; `None` if more than [`MOST_POINTS`].
pub(crate) fn points(ranges: &[Range]) -> Option<u64> {
    // An axis without coordinates leaves no points, however long others are.
    if ranges.iter().any(|range| range.is_empty()) {
        return Some(0);
    }
    let mut extents = ranges.iter().map(|range| range.extent());
    extents.try_fold(1_u64, u64::checked_mul).filter(|&points| points <= MOST_POINTS)
}

/// Whether there are axes of these numbers, lower bounds, steps and extents, in the order of
/// [`Type::array`](crate::lang::types::Type::array), and so many points. The step of one coordinate or none becomes 1.
#[doc(hidden)]
#[must_use]
pub fn has_points(numbers: &mut [i64], count: usize) -> bool {
    let axes = numbers.len() / 3;
    let range = |axis: usize, numbers: &[i64]| {
        let extent = u64::try_from(numbers[2 * axes + axis]).ok()?;
        Range::new(numbers[axis], numbers[axes + axis], extent)
    };
    let ranges: Option<Vec<Range>> = (0..axes).map(|axis| range(axis, numbers)).collect();
    let Some(ranges) = ranges.filter(|ranges| points(ranges) == Some(count as u64)) else { return false };
    for (step, range) in numbers[axes..2 * axes].iter_mut().zip(ranges) {
        *step = range.step();
    }
    true
}

/// How many of `start`, `start + stride`, … are below `end`, of numbers in the order of the IR's spans; `None` where the stride is
/// below 1.
#[doc(hidden)]
#[must_use]
pub fn span_len([start, end, stride, ..]: [i64; 6]) -> Option<i64> {
    if stride < 1 {
        return None;
    }
    // Without a sign, the distance is right whatever wraps.
    let distance = if end > start { end.wrapping_sub(start) as u64 } else { 0 };
    i64::try_from(distance.div_ceil(stride as u64)).ok()
}

/// Whether every axis starts at 0, in steps of 1.
fn is_plain(ranges: &[Range]) -> bool {
    ranges.iter().all(|range| (range.lower(), range.step()) == (0, 1))
}

fn write(ranges: &[Range], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (axis, range) in ranges.iter().enumerate() {
        if axis > 0 {
            f.write_str(" × ")?;
        }
        write!(f, "{range}")?;
    }
    Ok(())
}

impl<const N: usize> Domain<N> {
    /// `None` if there are more than [`MOST_POINTS`].
    #[must_use]
    pub fn new(ranges: [Range; N]) -> Option<Domain<N>> {
        points(&ranges).map(|_| Domain { ranges })
    }

    /// The points `0..n` of each axis, of which `shape` tells the extents; `None` if there are more than [`MOST_POINTS`].
    #[must_use]
    pub fn of_shape(shape: [usize; N]) -> Option<Domain<N>> {
        let mut ranges = [Range::of_extent(0)?; N];
        for (range, extent) in ranges.iter_mut().zip(shape) {
            *range = Range::of_extent(extent as u64)?;
        }
        Domain::new(ranges)
    }

    /// The coordinates along each axis.
    #[must_use]
    pub fn ranges(&self) -> &[Range; N] {
        &self.ranges
    }

    /// The extent of each axis.
    #[must_use]
    pub fn shape(&self) -> [usize; N] {
        self.ranges.map(|range| range.extent() as usize)
    }

    /// The number in field `field` of an array with these points as a struct, in the order of
    /// [`Type::array`](crate::lang::types::Type::array).
    #[inline]
    pub(crate) fn number(&self, field: usize) -> i64 {
        let range = self.ranges[(field - 1) % N];
        match (field - 1) / N {
            0 => range.lower(),
            1 => range.step(),
            _ => range.extent() as i64,
        }
    }

    /// The number of points.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        // It is no more than [`MOST_POINTS`]: what wraps is multiplied by 0.
        self.ranges.iter().fold(1, |points: u64, range| points.wrapping_mul(range.extent())) as usize
    }

    /// Whether there are no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.iter().any(|range| range.is_empty())
    }

    /// Whether every axis starts at 0, in steps of 1.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        is_plain(&self.ranges)
    }

    /// Where along each axis a point is, if it is one of these.
    #[must_use]
    pub fn offsets(&self, point: [i64; N]) -> Option<[u64; N]> {
        let mut offsets = [0; N];
        for axis in 0..N {
            offsets[axis] = self.ranges[axis].position(point[axis])?;
        }
        Some(offsets)
    }

    /// The number of a point in the order of rows, if it is one of these.
    #[must_use]
    pub fn position(&self, point: [i64; N]) -> Option<usize> {
        let offsets = self.offsets(point)?;
        let position = self
            .ranges
            .iter()
            .zip(offsets)
            .fold(0, |position, (range, offset)| position * range.extent() + offset);
        Some(position as usize)
    }

    /// The point of this number, which must be below [`Domain::len`].
    #[must_use]
    pub fn point(&self, position: usize) -> [i64; N] {
        debug_assert!(position < self.len());
        let (mut point, mut rest) = ([0; N], position as u64);
        for axis in (0..N).rev() {
            let range = self.ranges[axis];
            point[axis] = range.coordinate(rest % range.extent());
            rest /= range.extent();
        }
        point
    }

    /// All points, in the order of rows.
    pub fn points(&self) -> impl ExactSizeIterator<Item = [i64; N]> + use<'_, N> {
        (0..self.len()).map(|position| self.point(position))
    }

    /// The points of both.
    #[must_use]
    pub fn intersect(&self, other: &Domain<N>) -> Domain<N> {
        let mut ranges = self.ranges;
        for (range, other) in ranges.iter_mut().zip(other.ranges) {
            *range = range.intersect(other);
        }
        Domain::new(ranges).expect("no more than there are in one of both")
    }

    /// The points that `other` does not have, as domains that share none.
    #[must_use]
    pub fn difference(&self, other: &Domain<N>) -> Vec<Domain<N>> {
        // Axis by axis: what lies outside along this one, and inside along all before.
        let (mut inside, mut parts) = (self.ranges, Vec::new());
        for axis in 0..N {
            for part in self.ranges[axis].difference(other.ranges[axis]) {
                let mut ranges = inside;
                ranges[axis] = part;
                parts.push(Domain::new(ranges).expect("no more than there are"));
            }
            inside[axis] = self.ranges[axis].intersect(other.ranges[axis]);
        }
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// The least domain that has the points of both; `None` if it would have more than [`MOST_POINTS`].
    #[must_use]
    pub fn cover(&self, other: &Domain<N>) -> Option<Domain<N>> {
        if self.is_empty() || other.is_empty() {
            return Some(if self.is_empty() { *other } else { *self });
        }
        let mut ranges = self.ranges;
        for (range, other) in ranges.iter_mut().zip(other.ranges) {
            *range = range.cover(other)?;
        }
        Domain::new(ranges)
    }
}

/// `0..2 × 1..9 step 2`
impl<const N: usize> fmt::Display for Domain<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(&self.ranges, f)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn domain(ranges: [(i64, i64, u64); 2]) -> Domain<2> {
        let [a, b] = ranges.map(|(lower, step, extent)| Range::new(lower, step, extent).unwrap());
        Domain::new([a, b]).unwrap()
    }

    fn set(domain: &Domain<2>) -> BTreeSet<[i64; 2]> {
        domain.points().collect()
    }

    #[test]
    fn points_are_in_the_order_of_rows() {
        let domain = domain([(-1, 2, 2), (5, 1, 3)]);
        let points: Vec<_> = domain.points().collect();
        assert_eq!(points, [[-1, 5], [-1, 6], [-1, 7], [1, 5], [1, 6], [1, 7]]);
        for (position, point) in points.into_iter().enumerate() {
            assert_eq!(domain.position(point), Some(position));
        }
        assert_eq!([[0, 5], [1, 8], [3, 5], [-3, 5]].map(|point| domain.position(point)), [None; 4]);
    }

    #[test]
    fn domains_are_sets_of_points() {
        let domains = [
            [(0, 1, 4), (0, 1, 4)],
            [(1, 1, 2), (1, 1, 2)],
            [(0, 2, 2), (1, 2, 2)],
            [(-2, 3, 3), (0, 1, 1)],
            [(0, 1, 0), (0, 1, 4)],
            [(7, 1, 2), (0, 1, 4)],
        ]
        .map(domain);
        for a in &domains {
            for b in &domains {
                assert_eq!(set(&a.intersect(b)), &set(a) & &set(b));
                let rest = a.difference(b);
                let expected = &set(a) - &set(b);
                assert_eq!(rest.iter().map(Domain::len).sum::<usize>(), expected.len());
                assert_eq!(rest.iter().flat_map(set).collect::<BTreeSet<_>>(), expected);
                assert!((&set(a) | &set(b)).is_subset(&set(&a.cover(b).unwrap())));
            }
        }
    }

    #[test]
    fn domains_are_written_as_their_bounds() {
        assert_eq!(domain([(0, 1, 2), (1, 2, 4)]).to_string(), "0..2 × 1..8 step 2");
        assert_eq!(domain([(-3, 1, 0), (5, 1, 1)]).to_string(), "-3..-3 × 5..6");
    }

    #[test]
    fn there_are_only_so_many_points() {
        assert_eq!(Domain::of_shape([1 << 24, (1 << 24) + 1]), None);
        assert_eq!(Domain::of_shape([1 << 24, 1 << 24]).map(|domain| domain.len()), Some(1 << 48));
        assert_eq!(Domain::of_shape([1 << 40, 1 << 40, 0]).map(|domain| domain.len()), Some(0));
        assert_eq!(Domain::of_shape([]).map(|domain| domain.len()), Some(1));
    }
}
