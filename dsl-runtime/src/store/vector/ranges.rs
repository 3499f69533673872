//! Which places were given away: ranges that must not overlap.

use std::ops::Range;

/// Ranges that do not overlap. One that begins where the first one ends is joined to it, so that going from the
/// start to the end, in some order, needs a short list or none.
#[derive(Debug, Default)]
pub(super) struct DisjointRanges {
    first: Range<usize>,
    others: Vec<Range<usize>>,
}

impl DisjointRanges {
    /// Adds `range`, unless it overlaps one that is here.
    pub(super) fn insert(&mut self, range: Range<usize>) -> bool {
        if range.is_empty() {
            return true;
        }
        if self.iter().any(|other| range.start < other.end && other.start < range.end) {
            return false;
        }
        if self.first.is_empty() {
            self.first = range;
        } else if self.first.end == range.start {
            self.first.end = range.end;
            while let Some(next) = self.others.iter().position(|other| other.start == self.first.end) {
                self.first.end = self.others.swap_remove(next).end;
            }
        } else {
            self.others.push(range);
        }
        true
    }

    /// In no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Range<usize>> {
        std::iter::once(&self.first).chain(&self.others).cloned()
    }

    /// The places in all ranges.
    pub(super) fn len(&self) -> usize {
        self.iter().map(|range| range.len()).sum()
    }
}

/// What has become of places that parts share.
#[derive(Debug, Default)]
pub(super) struct Shares {
    /// The ranges of all parts that were given.
    pub(super) given: DisjointRanges,
    /// Those of the parts that were filled, and stay where they are.
    pub(super) filled: DisjointRanges,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_overlap_are_refused() {
        let mut ranges = DisjointRanges::default();
        assert!(ranges.insert(0..2) && ranges.insert(2..5) && ranges.insert(8..9));
        assert!(!ranges.insert(4..6) && !ranges.insert(0..1) && !ranges.insert(7..10));
        assert!(ranges.insert(3..3), "an empty range takes no place");
        assert_eq!((ranges.iter().collect::<Vec<_>>(), ranges.len()), (vec![0..5, 8..9], 6));
        assert!(ranges.insert(6..8) && ranges.insert(5..6) && !ranges.insert(8..10));
        assert_eq!((ranges.others.len(), ranges.len()), (0, 9));
    }
}
