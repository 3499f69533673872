//! Results of which every iteration of a loop makes several elements, each iteration equally many: vectors of known
//! length, whose parts are told by iterations.

use std::ops::Range;

use super::exact::{Exact, Part};
use crate::exec::allocate::Memory;
use crate::lang::fault::Fault;

/// A vector of so many elements for each iteration that is being filled.
#[derive(Debug)]
pub struct FixedFanOut<T> {
    whole: Exact<T>,
    /// The elements of an iteration.
    each: usize,
}

impl<T> FixedFanOut<T> {
    /// The vector of `each` elements for each of `extent` iterations, none of them there yet; the fault MemoryLimit if
    /// it cannot be had.
    pub fn new(memory: &impl Memory, extent: i64, each: usize) -> Result<FixedFanOut<T>, Fault> {
        // So many that they do not fit are more than there is memory for.
        let len = i64::try_from(each).map_or(i64::MAX, |each| extent.saturating_mul(each));
        Ok(FixedFanOut { whole: Exact::new(memory, len)?, each })
    }

    /// The part of the elements of the iterations in `range`.
    ///
    /// # Panics
    /// If some of them are outside, or belong to another part.
    pub fn part(&self, range: Range<usize>) -> Part<'_, T> {
        let [start, end] = [range.start, range.end].map(|iteration| iteration.saturating_mul(self.each));
        self.whole.part(start..end)
    }

    /// The vector.
    ///
    /// # Panics
    /// If parts of it were not filled.
    pub fn finish(self) -> Vec<T> {
        self.whole.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;

    use super::*;
    use crate::exec::context::Context;

    #[test]
    fn elements_of_iterations_stand_side_by_side() {
        for each in [0, 1, 3] {
            let values = |range: Range<usize>| range.flat_map(|i| (0..each).map(move |j| format!("{i} {j}")));
            let whole = FixedFanOut::new(Context::ambient(), 10, each).unwrap();
            let mut parts = [0..4, 4..5, 5..5, 5..10].map(|range| (whole.part(range.clone()), range));
            for (part, range) in parts.iter_mut().rev() {
                let mut cursor = part.cursor();
                values(range.clone()).for_each(|value| cursor.push(value));
            }
            parts.into_iter().for_each(|(part, _)| part.done());
            assert_eq!(whole.finish(), values(0..10).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_is_given_up_in_the_middle_of_an_iteration_drops_every_element_once() {
        let counted = Arc::new(());
        let whole = FixedFanOut::new(Context::ambient(), 4, 2).unwrap();
        let mut full = whole.part(2..4);
        full.append(vec![counted.clone(); 4]);
        full.done();
        let mut open = whole.part(0..2);
        open.cursor().push_block([counted.clone(), counted.clone(), counted.clone()]);
        let unfilled = catch_unwind(AssertUnwindSafe(|| open.done()));
        assert!(unfilled.is_err(), "one element is missing");
        assert_eq!(Arc::strong_count(&counted), 5);
        drop(whole);
        assert_eq!(Arc::strong_count(&counted), 1);
    }

    /// Miri, which has no memory to refuse, ends here.
    #[cfg(not(miri))]
    #[test]
    fn products_that_do_not_fit_are_a_fault() {
        use crate::lang::fault::FaultKind;

        let fault = FixedFanOut::<u8>::new(Context::ambient(), 1 << 62, 8).unwrap_err();
        assert_eq!(fault.kind, FaultKind::MemoryLimit);
        let fault = FixedFanOut::<u8>::new(Context::ambient(), 1, usize::MAX).unwrap_err();
        assert_eq!(fault.kind, FaultKind::MemoryLimit);
    }
}
