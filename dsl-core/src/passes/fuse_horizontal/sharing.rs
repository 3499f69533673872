//! Which loops of a body may become one: those that read the same, over as many elements, and fit into one loop. Of a
//! thousand loops, few need to be compared.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::facts::{Facts, Input};
use crate::analysis::cost;
use crate::analysis::equal::Length;

/// Loops by number, in order.
type Numbers = BTreeSet<usize>;

/// Loops by what they read and how long they may be.
#[derive(Default)]
pub(super) struct Sharing {
    readers: HashMap<(Input, Length), Readers>,
}

/// The loops that read one vector and may have as many iterations as each other.
#[derive(Default)]
struct Readers {
    all: Numbers,
    /// By how many sums they keep.
    by_sums: BTreeMap<usize, Numbers>,
    /// By the key that they fill dictionaries by, if they do, and how many sums they keep.
    by_key: HashMap<Option<u64>, BTreeMap<usize, Numbers>>,
}

impl Sharing {
    pub(super) fn add(&mut self, number: usize, facts: &Facts) {
        for label in labels(facts) {
            let readers = self.readers.entry(label).or_default();
            readers.all.insert(number);
            readers.by_sums.entry(facts.accumulators).or_default().insert(number);
            let with_key = readers.by_key.entry(facts.key()).or_default();
            with_key.entry(facts.accumulators).or_default().insert(number);
        }
    }

    /// Forgets a loop that was added with these facts.
    pub(super) fn remove(&mut self, number: usize, facts: &Facts) {
        for label in labels(facts) {
            let Some(readers) = self.readers.get_mut(&label) else { continue };
            readers.all.remove(&number);
            let with_key = readers.by_key.get_mut(&facts.key());
            for by_sums in with_key.into_iter().chain([&mut readers.by_sums]) {
                by_sums.get_mut(&facts.accumulators).map(|numbers| numbers.remove(&number));
            }
        }
    }

    /// The loops that were added and have an input in common with this one, in order.
    pub(super) fn with(&self, facts: &Facts) -> impl Iterator<Item = usize> {
        in_order(self.readers_of(facts).map(|readers| &readers.all).collect())
    }

    /// Those of them that do not keep too many sums together with it, nor fill dictionaries by other keys, in order.
    pub(super) fn fitting(&self, facts: &Facts) -> impl Iterator<Item = usize> {
        let Some(room) = cost::MAX_ACCUMULATORS.checked_sub(facts.accumulators) else {
            return in_order(Vec::new());
        };
        let by_sums = self.readers_of(facts).flat_map(|readers| match facts.key() {
            None => vec![&readers.by_sums],
            key => [key, None].iter().filter_map(|key| readers.by_key.get(key)).collect(),
        });
        let fitting =
            by_sums.flat_map(|by_sums| by_sums.range(..=room)).map(|(_, numbers)| numbers).collect();
        in_order(fitting)
    }

    fn readers_of(&self, facts: &Facts) -> impl Iterator<Item = &Readers> {
        labels(facts).filter_map(|label| self.readers.get(&label))
    }
}

/// Whether loops with these facts are both among those that [`Sharing::fitting`] gives for the other.
pub(super) fn fit(one: &Facts, other: &Facts) -> bool {
    let is_one_key = one.key().zip(other.key()).is_none_or(|(one, other)| one == other);
    is_one_key && one.accumulators + other.accumulators <= cost::MAX_ACCUMULATORS
}

/// What a loop reads, with each length that it is known to have: loops over the same indices that have an input in common
/// share one of these.
fn labels(facts: &Facts) -> impl Iterator<Item = (Input, Length)> {
    facts.inputs().flat_map(|input| facts.lengths().map(move |length| (input, length)))
}

/// The numbers in any of these sets, in order.
fn in_order(sets: Vec<&Numbers>) -> impl Iterator<Item = usize> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let next = sets.iter().filter_map(|set| set.range(from..).next().copied()).min()?;
        from = next + 1;
        Some(next)
    })
}
