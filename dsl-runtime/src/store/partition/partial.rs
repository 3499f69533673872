//! What is kept of the values of one key until all are there.

use crate::store::combine::Combine;

/// How the values of one key become one. Values come in order, each with the number of the segment that it is of.
pub trait Partial<V>: Copy + Send + Sync + 'static {
    /// The first value.
    fn new(value: V, segment: u32) -> Self;

    /// One value more.
    fn merge(&mut self, value: V, segment: u32, combine: impl Combine<V>);

    /// What all of them come to.
    fn total(self, combine: impl Combine<V>) -> V;
}

/// Values that may be combined as they come: no order of combining them can be told from another.
#[derive(Clone, Copy, Debug)]
pub struct Exact<V>(V);

impl<V: Copy + Send + Sync + 'static> Partial<V> for Exact<V> {
    #[inline(always)]
    fn new(value: V, _segment: u32) -> Exact<V> {
        Exact(value)
    }

    #[inline(always)]
    fn merge(&mut self, value: V, _segment: u32, combine: impl Combine<V>) {
        combine.combine(&mut self.0, value);
    }

    #[inline(always)]
    fn total(self, _combine: impl Combine<V>) -> V {
        self.0
    }
}

/// Values whose combination rounds: those of one segment are combined first, then segments are in order.
#[derive(Clone, Copy, Debug)]
pub struct Segmented<V> {
    /// Of the segments before `segment`; if there are none, anything.
    before: V,
    partial: V,
    segment: u32,
    has_before: bool,
}

impl<V: Copy + Send + Sync + 'static> Partial<V> for Segmented<V> {
    #[inline(always)]
    fn new(value: V, segment: u32) -> Segmented<V> {
        Segmented { before: value, partial: value, segment, has_before: false }
    }

    #[inline(always)]
    fn merge(&mut self, value: V, segment: u32, combine: impl Combine<V>) {
        if self.segment == segment {
            return combine.combine(&mut self.partial, value);
        }
        let partial = std::mem::replace(&mut self.partial, value);
        match self.has_before {
            true => combine.combine(&mut self.before, partial),
            false => self.before = partial,
        }
        (self.segment, self.has_before) = (segment, true);
    }

    #[inline(always)]
    fn total(mut self, combine: impl Combine<V>) -> V {
        if !self.has_before {
            return self.partial;
        }
        combine.combine(&mut self.before, self.partial);
        self.before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Brackets show what was combined first.
    #[derive(Clone, Copy)]
    struct Bracket;

    impl Combine<&'static str> for Bracket {
        fn combine(self, a: &mut &'static str, b: &'static str) {
            *a = format!("({a} {b})").leak();
        }
    }

    fn check(values: &[(&'static str, u32)], expected: &str) {
        let mut values = values.iter().copied();
        let (first, segment) = values.next().unwrap();
        let mut held = Segmented::new(first, segment);
        values.for_each(|(value, segment)| held.merge(value, segment, Bracket));
        assert_eq!(held.total(Bracket), expected);
    }

    #[test]
    fn segments_are_combined_before_they_are_joined() {
        check(&[("a", 3)], "a");
        check(&[("a", 0), ("b", 0), ("c", 0)], "((a b) c)");
        check(&[("a", 0), ("b", 1)], "(a b)");
        check(&[("a", 0), ("b", 1), ("c", 1), ("d", 4)], "((a (b c)) d)");
        check(&[("a", 0), ("b", 0), ("c", 2), ("d", 2), ("e", 3)], "(((a b) (c d)) e)");
    }
}
