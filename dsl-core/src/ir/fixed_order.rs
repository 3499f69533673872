//! The order in which floats are combined, of a program that is specialised to constants after it was optimised.
//!
//! How long a chunk of a loop is follows from what an iteration costs, and sums of floats show it in their bits. A constant makes
//! iterations cheaper. So that the sums stay those of the program without it, the chunks stay, and the rules that would combine floats in
//! another order ask whether there is a `FixedOrder`.

use std::collections::BTreeMap;

use super::entity::Sink;
use super::sink::SinkDecl;

/// How long the chunks of loops are whose results show it, by their sinks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FixedOrder {
    chunks: BTreeMap<Sink, u64>,
}

impl FixedOrder {
    /// How long the chunks of the loop with these sinks are, if that shows in what they make.
    pub fn chunk(&self, sinks: &[SinkDecl]) -> Option<u64> {
        sinks.iter().find_map(|decl| self.chunks.get(&decl.sink).copied())
    }
}

impl FromIterator<(Sink, u64)> for FixedOrder {
    fn from_iter<I: IntoIterator<Item = (Sink, u64)>>(chunks: I) -> FixedOrder {
        FixedOrder { chunks: chunks.into_iter().collect() }
    }
}
