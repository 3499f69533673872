//! Who reads how long vectors are.

use std::collections::{BTreeSet, HashMap};

use crate::analysis::equal::{Length, Lengths};
use crate::ir::{Defs, Op, Program, Stmt, Uses, Value};

/// The lengths that a program reads, found out once for a whole round: fusions take reads away, and copies are of reads
/// that there were, so that who reads nothing goes on doing so.
pub(super) struct LengthReads {
    uses: Uses,
    /// The results of `len`, by the vector.
    lens: HashMap<Value, Vec<Value>>,
}

impl LengthReads {
    pub(super) fn of(program: &Program) -> LengthReads {
        let mut lens: HashMap<Value, Vec<Value>> = HashMap::new();
        let mut add = |stmt: &Stmt| {
            if let Op::Len(vector) = stmt.op {
                lens.entry(vector).or_default().extend(&stmt.results);
            }
        };
        program.entry.into_iter().for_each(|entry| program.for_each_stmt(entry, &mut add));
        LengthReads { uses: Uses::of(program), lens }
    }

    /// Whether it may matter that a vector is as long as `first`, which `producer` makes: where that is a constant, and where
    /// it is read, other than as one of these extents.
    pub(super) fn matter(
        &self,
        program: &Program,
        defs: &Defs,
        producer: &Stmt,
        first: Value,
        extents: &[Value],
    ) -> bool {
        let lengths = Lengths::new(program, defs);
        let length = lengths.of_vector(first);
        let is_own = matches!(length, Length::Of(vector) if producer.results.contains(&vector));
        if !is_own {
            return true;
        }
        let counts = producer.results.iter().copied().filter(|&result| lengths.of_value(result) == length);
        let mut same: BTreeSet<Value> = counts.collect();
        same.extend(producer.results.iter().filter_map(|result| self.lens.get(result)).flatten());
        let reads: usize = same.iter().map(|&value| self.uses.count(value) as usize).sum();
        reads > extents.iter().filter(|extent| same.contains(*extent)).count()
    }
}
