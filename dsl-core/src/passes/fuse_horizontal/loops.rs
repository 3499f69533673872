//! Sibling loops, and sibling `for`s, over one iteration space.

use std::collections::HashSet;

use super::facts::{Extent, Family, Sibling};
use super::keys::{Key, same_expression};
use crate::analysis::cost;
use crate::analysis::footprints::Footprints;
use crate::analysis::order::Meeting;
use crate::ir::rewrite::Subst;
use crate::ir::{BodyId, Defs, Loc, Op, Program, Stmt, Value};
use crate::passes::candidate::{Candidate, Fusion, Reason};

const DEPENDENT: Reason = Reason::new("{at|one of the two loops} depends on {producer|the other}");
const SAME_SINK: Reason = Reason::new("both loops merge into the same builder, one after the other");
const REGISTERS: Reason =
    Reason::new("together the loops keep {cost} sums in registers, and {limit} is the limit");
const TWO_KEYS: Reason = Reason::new("the loops fill dictionaries by different keys");

/// Two loops of one body over the same iteration space.
pub(super) struct Siblings<'a> {
    body: BodyId,
    first: Sibling,
    second: Sibling,
    /// Whether the second depends on the first.
    is_dependent: bool,
    /// The extents of the fused loop.
    extents: Vec<Extent>,
    footprints: &'a Footprints,
}

impl<'a> Siblings<'a> {
    /// The pairs of loops of a family over the same space that have something to share, those with the first second ones
    /// first. The number of the second is `from` at least.
    pub(super) fn candidates(
        program: &Program,
        defs: &Defs,
        family: &'a mut Family,
        from: usize,
    ) -> impl Iterator<Item = Siblings<'a>> + use<'a> {
        let siblings = family.members(program, defs);
        let family = &*family;
        let start = siblings.partition_point(|sibling| sibling.number < from);
        let pairs = (start..siblings.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
        pairs.filter_map(move |(first, second)| {
            let (one, other) = (&siblings[first], &siblings[second]);
            let extents =
                one.facts.shares(&other.facts).then(|| one.facts.common_extents(&other.facts))??;
            let is_dependent = family.keeps_apart(one, other);
            Some(Siblings {
                body: family.body,
                first: one.clone(),
                second: other.clone(),
                is_dependent,
                extents,
                footprints: &family.footprints,
            })
        })
    }

    /// Whether there is no pair in `body`.
    pub(super) fn are_too_few(program: &Program, body: BodyId) -> bool {
        let is_one = |stmt: &&Stmt| matches!(stmt.op, Op::Loop(_) | Op::For { .. });
        program.bodies[body].stmts.iter().filter(is_one).nth(1).is_none()
    }
}

impl Candidate for Siblings<'_> {
    const RULE: &'static str = "siblings";
    type Plan = Meeting;

    fn loc(&self, program: &Program) -> Loc {
        program.bodies[self.body].stmts[self.second.number].loc
    }

    fn producer(&self, program: &Program) -> Option<Loc> {
        Some(program.bodies[self.body].stmts[self.first.number].loc)
    }

    fn plan(&self, program: &Program, defs: &Defs) -> Result<Meeting, Reason> {
        let (one, other) = (&self.first.facts, &self.second.facts);
        if self.is_dependent {
            return Err(DEPENDENT);
        }
        if !one.merged.is_disjoint(&other.merged) {
            return Err(SAME_SINK);
        }
        let sums = one.accumulators + other.accumulators;
        if sums > cost::ACCUMULATORS {
            return Err(REGISTERS.costs(sums as u64, cost::ACCUMULATORS as u64));
        }
        for a in &one.keys {
            let differs = |b: &Key| a.digest != b.digest || !self.alike(program, defs, a.value, b.value);
            if other.keys.iter().any(differs) {
                return Err(TWO_KEYS);
            }
        }
        let pair = [self.first.number, self.second.number];
        Meeting::arrange(program, self.footprints, self.body, pair, &[]).ok_or(DEPENDENT)
    }
}

impl Fusion for Siblings<'_> {
    fn apply(&self, meeting: Meeting, program: &mut Program) {
        let mut stmts = program.take_stmts(self.body);
        let (mut fused, second) = (stmts[self.first.number].clone(), stmts[self.second.number].clone());
        let mut pair = Vec::new();
        let extents: Vec<Value> = self
            .extents
            .iter()
            .map(|extent| match *extent {
                Extent::Value(extent) => extent,
                Extent::Common(a, b) => {
                    let common = program.stmt(Op::ZipLen(vec![a, b]), second.loc);
                    pair.push(common.clone());
                    common.results[0]
                }
            })
            .collect();
        append_body(program, self.first.facts.body, self.second.facts.body);
        match (&mut fused.op, second.op) {
            (Op::Loop(one), Op::Loop(other)) => {
                one.extents = extents;
                one.sinks.extend(other.sinks);
                fused.results.extend(second.results);
            }
            (Op::For { extent, .. }, _) => *extent = extents[0],
            _ => {}
        }
        pair.push(fused);
        stmts = meeting.apply(stmts, self.first.number, self.second.number, pair);
        program.put_stmts(self.body, stmts);
    }

    fn place(&self, meeting: &Meeting) -> usize {
        let is_new = |extent: &&Extent| matches!(extent, Extent::Common(..));
        self.first.number + meeting.before.len() + self.extents.iter().filter(is_new).count()
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

/// Appends the statements of `from` to `into`, with the indices of `into`.
fn append_body(program: &mut Program, into: BodyId, from: BodyId) {
    let mut subst = Subst::new();
    subst.insert_all(&program.bodies[from].params.clone(), &program.bodies[into].params.clone());
    program.substitute(from, &subst);
    let mut stmts = program.take_stmts(from);
    program.bodies[into].stmts.append(&mut stmts);
}
