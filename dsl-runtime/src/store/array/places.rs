//! Where the elements of views are: points as distances from a first element.
//!
//! Point `p` is the element `first + Σ strides[axis] * offsets[axis]`, where an offset is the number of the coordinate along its axis.
//! Strides count elements; they may be negative, and 0 where an axis repeats what is there.

use crate::lang::domain::{Domain, Range};

/// Where the element of each point is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places<const N: usize> {
    pub(super) domain: Domain<N>,
    /// From the start of the elements to the element of the first point.
    pub(super) first: isize,
    pub(super) strides: [isize; N],
}

impl<const N: usize> Places<N> {
    /// Row by row, without gaps.
    #[inline]
    pub(super) fn contiguous(domain: Domain<N>) -> Places<N> {
        let mut strides = [1; N];
        for axis in (1..N).rev() {
            strides[axis - 1] = strides[axis] * domain.ranges()[axis].extent() as isize;
        }
        Places { domain, first: 0, strides }
    }

    /// Where the element of `point` is, if there is such a point.
    pub(super) fn of(&self, point: [i64; N]) -> Option<isize> {
        let offsets = self.domain.offsets(point)?;
        let distance = offsets.iter().zip(self.strides).map(|(&offset, stride)| offset as isize * stride);
        Some(self.first + distance.sum::<isize>())
    }

    /// Whether the elements lie in a row without gaps, in the order of the points.
    #[inline]
    pub(super) fn is_contiguous(&self) -> bool {
        let mut expected = 1;
        let axes = self.domain.ranges().iter().zip(self.strides).rev();
        self.domain.is_empty()
            || axes.filter(|(range, _)| range.extent() > 1).all(|(range, stride)| {
                let is_next = stride == expected;
                expected *= range.extent() as isize;
                is_next
            })
    }

    /// The same places, of which the first is that of `point`.
    fn starting_at(&self, domain: Domain<N>, strides: [isize; N], point: [i64; N]) -> Places<N> {
        let first = if domain.is_empty() { self.first } else { self.of(point).expect("a point of these") };
        Places { domain, first, strides }
    }

    pub(super) fn permute(&self, axes: [usize; N]) -> Option<Places<N>> {
        let mut seen = [false; N];
        for axis in axes {
            if std::mem::replace(seen.get_mut(axis)?, true) {
                return None;
            }
        }
        let (ranges, strides) =
            (axes.map(|axis| self.domain.ranges()[axis]), axes.map(|axis| self.strides[axis]));
        Some(Places { domain: Domain::new(ranges)?, first: self.first, strides })
    }

    pub(super) fn transpose(&self) -> Places<N> {
        self.permute(std::array::from_fn(|axis| N - 1 - axis)).expect("all axes, each once")
    }

    pub(super) fn reverse(&self, axis: usize) -> Places<N> {
        let mut first = self.domain.ranges().map(Range::lower);
        let mut strides = self.strides;
        first[axis] = self.domain.ranges()[axis].last().unwrap_or(first[axis]);
        strides[axis] = strides[axis].wrapping_neg();
        self.starting_at(self.domain, strides, first)
    }

    pub(super) fn move_to(&self, lower: [i64; N]) -> Option<Places<N>> {
        let mut ranges = *self.domain.ranges();
        for (range, lower) in ranges.iter_mut().zip(lower) {
            *range = Range::new(lower, 1, range.extent())?;
        }
        Some(Places { domain: Domain::new(ranges)?, ..*self })
    }

    pub(super) fn restrict(&self, domain: Domain<N>) -> Option<Places<N>> {
        if self.domain.intersect(&domain) != domain {
            return domain.is_empty().then_some(Places { domain, ..*self });
        }
        let mut strides = self.strides;
        for (axis, stride) in strides.iter_mut().enumerate() {
            let (whole, part) = (self.domain.ranges()[axis], domain.ranges()[axis]);
            // Of one coordinate, the step says nothing.
            *stride *= if part.extent() > 1 { (part.step() / whole.step()) as isize } else { 1 };
        }
        Some(self.starting_at(domain, strides, domain.ranges().map(Range::lower)))
    }

    pub(super) fn slice_axis(&self, axis: usize, range: Range) -> Option<Places<N>> {
        let mut ranges = *self.domain.ranges();
        ranges[axis] = range;
        self.restrict(Domain::new(ranges)?)
    }

    /// Those at one coordinate of an axis, along the others, of which there are M.
    pub(super) fn index_axis<const M: usize>(&self, axis: usize, coordinate: i64) -> Option<Places<M>> {
        const { assert!(M + 1 == N, "an axis less") };
        let position = self.domain.ranges()[axis].position(coordinate)?;
        let other = |k: usize| k + usize::from(k >= axis);
        let ranges = std::array::from_fn(|k| self.domain.ranges()[other(k)]);
        let domain = Domain::new(ranges)?;
        // Without points there are no elements to step over.
        let skipped = if self.domain.is_empty() { 0 } else { position as isize * self.strides[axis] };
        let strides = std::array::from_fn(|k| self.strides[other(k)]);
        Some(Places { domain, first: self.first + skipped, strides })
    }
}
