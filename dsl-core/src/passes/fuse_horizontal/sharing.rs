//! Which loops have an input in common: of a thousand, few need to be compared.

use std::collections::HashMap;

use super::facts::{Facts, Input};

/// Loops by what they read.
pub(super) struct Sharing {
    readers: HashMap<Input, Vec<usize>>,
    /// What each loop is part of: itself, or one behind it.
    part_of: Vec<usize>,
}

impl Sharing {
    /// Of so many loops, of which none has been added.
    pub(super) fn none_of(count: usize) -> Sharing {
        Sharing { readers: HashMap::new(), part_of: (0..count).collect() }
    }

    pub(super) fn add(&mut self, number: usize, facts: &Facts) {
        facts.inputs().for_each(|input| self.readers.entry(input).or_default().push(number));
    }

    /// The loops that were added and have an input in common with this one, in order.
    pub(super) fn with(&mut self, facts: &Facts) -> Vec<usize> {
        let mut all = Vec::new();
        for input in facts.inputs() {
            let Some(readers) = self.readers.get_mut(&input) else { continue };
            readers.iter_mut().for_each(|reader| *reader = find(&mut self.part_of, *reader));
            readers.sort_unstable();
            readers.dedup();
            all.extend(readers.iter().copied());
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Tells that the first loop is part of the second from now on.
    pub(super) fn unite(&mut self, first: usize, second: usize) {
        self.part_of[first] = second;
    }
}

/// What a loop is part of in the end. What is on the way to it is shorter from now on.
fn find(part_of: &mut [usize], number: usize) -> usize {
    let mut end = number;
    while part_of[end] != end {
        part_of[end] = part_of[part_of[end]];
        end = part_of[end];
    }
    end
}
