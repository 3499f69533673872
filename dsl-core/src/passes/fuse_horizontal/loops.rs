//! Sibling loops, and sibling `for`s, over one iteration space.

use std::collections::HashSet;

use super::facts::Facts;
use super::keys::{Key, same_expression};
use crate::analysis::cost;
use crate::ir::{BodyId, Defs, Loc, Program, Value};
use crate::passes::candidate::{Candidate, Reason};

const DEPENDENT: Reason = Reason::new("{at|one of the two loops} depends on {producer|the other}");
const SAME_SINK: Reason = Reason::new("both loops merge into the same builder, one after the other");
const REGISTERS: Reason =
    Reason::new("together the loops keep {cost} sums in registers, and {limit} is the limit");
const TWO_KEYS: Reason = Reason::new("the loops fill dictionaries by different keys");

/// A loop or `for`, by itself or fused of several.
pub(super) struct Member {
    /// The number of its statement, or of that which the others became part of.
    pub(super) number: usize,
    /// Its place among the statements whose dependences are known.
    pub(super) place: usize,
    pub(super) facts: Facts,
}

/// Two loops of one body over the same iteration space that have something to share.
pub(super) struct Siblings<'a> {
    pub(super) body: BodyId,
    pub(super) first: &'a Member,
    pub(super) second: &'a Member,
    /// Whether the second depends on the first.
    pub(super) is_dependent: bool,
}

impl Candidate for Siblings<'_> {
    const RULE: &'static str = "siblings";
    type Rewrite = ();

    fn loc(&self, program: &Program) -> Loc {
        program.bodies[self.body].stmts[self.second.number].loc
    }

    fn producer(&self, program: &Program) -> Option<Loc> {
        Some(program.bodies[self.body].stmts[self.first.number].loc)
    }

    fn plan(&self, program: &Program, defs: &Defs) -> Result<(), Reason> {
        let (one, other) = (&self.first.facts, &self.second.facts);
        if self.is_dependent {
            return Err(DEPENDENT);
        }
        if !one.merged.is_disjoint(&other.merged) {
            return Err(SAME_SINK);
        }
        let sums = one.accumulators + other.accumulators;
        if sums > cost::MAX_ACCUMULATORS {
            return Err(REGISTERS.costs(sums as u64, cost::MAX_ACCUMULATORS as u64));
        }
        for a in &one.keys {
            let differs = |b: &Key| a.digest != b.digest || !self.alike(program, defs, a.value, b.value);
            if other.keys.iter().any(differs) {
                return Err(TWO_KEYS);
            }
        }
        Ok(())
    }
}

impl Siblings<'_> {
    /// Whether two values in the two loops are the same expression of the same indices.
    fn alike(&self, program: &Program, defs: &Defs, a: Value, b: Value) -> bool {
        let (params, others) =
            (&program.bodies[self.first.facts.body].params, &program.bodies[self.second.facts.body].params);
        let same_leaf = |a, b| params.iter().position(|&param| param == a).is_some_and(|at| others[at] == b);
        same_expression(program, defs, a, b, &same_leaf, &mut HashSet::new())
    }
}
