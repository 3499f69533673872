//! Pull: an element of a map is computed where it is read.
//!
//! `p = loop i < n { collect f(i) }`, with exactly one merge per iteration: every `at p, e` becomes `f(e)`,
//! for any index e. It is done when nothing else reads p, so that p is gone afterwards; and, where p stays and f is cheap, at
//! constant indices, which then keep no loop from being fused with that of p.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::analysis::bounds;
use crate::analysis::cost;
use crate::analysis::effects::Effects;
use crate::analysis::equal::{Length, Lengths};
use crate::analysis::guarded;
use crate::extract::MapLoop;
use crate::ir::local::Facts;
use crate::ir::{BodyId, Def, Defs, Keep, Loc, Loop, Op, Program, Stmt, Uses, Value};
use crate::passes::candidate::{Candidate, Reason};

use super::asked;
use super::evaluations::Evaluations;
pub(super) use super::evaluations::{Pull, Site};

const GATHERED: Reason = Reason::new(
    "an element of {producer|the map} is read at an index that comes from memory: computed where it is read it costs {cost}, stored \
     {limit}",
);
const COSTLY: Reason = Reason::new(
    "an element of {producer|the map} would be computed more often than once; it costs {cost}, and {limit} is the limit",
);
const REPEATED: Reason = Reason::new(
    "each element of {producer|the map} would be computed several times, which costs {cost} more, and {limit} is the limit",
);
const UNPROVED: Reason = Reason::new(
    "{at|it} is at a constant index, which says nothing of the vectors that {producer|the map} is made from",
);
const PARTIAL: Reason = Reason::new(
    "{because|computing an element} can fault or call out, and not all elements of {producer|the map} are read exactly once",
);
const SHOWN: Reason = Reason::new(
    "{because|`dbg`} shows each element of {producer|the map} once, and would show it again where {at|it} is read",
);
const UNASKED: Reason = Reason::new(
    "an element of {producer|the map}, or a part of it, might not depend on its index, and then nothing would ask whether \
     the index that {at|the read} is at is inside",
);

impl Pull {
    /// The maps made in `body` that only `at` reads, and those of which an element at a constant index can be computed
    /// anew.
    pub(super) fn candidates(program: &Program, defs: &Defs, uses: &Uses, body: BodyId) -> Vec<Pull> {
        let mut candidates = Vec::new();
        let loops = || program.bodies[body].stmts.iter().filter(|stmt| matches!(stmt.op, Op::Loop(_)));
        if loops().next().is_none() {
            return candidates;
        }
        let mut all_sites: HashMap<Value, Vec<Site>> = HashMap::new();
        program.for_each_body(body, &mut |body| {
            for stmt in &program.bodies[body].stmts {
                if let Op::At(vector, index) = stmt.op {
                    let at = vec![index];
                    all_sites.entry(vector).or_default().push(Site { body, index, at, loc: stmt.loc });
                }
            }
        });
        for &vector in loops().flat_map(|stmt| &stmt.results) {
            let Some(mut sites) = all_sites.remove(&vector) else { continue };
            let Some(Op::Loop(Loop { extents, .. })) = defs.op(program, vector) else { continue };
            if extents.len() > 1 && !sites.iter_mut().all(|site| site.split(program, defs, extents.len())) {
                continue;
            }
            let is_last = sites.len() == uses.count(vector) as usize;
            if !is_last {
                sites.retain(|site| site.is_constant(program, defs));
            }
            if sites.is_empty() {
                continue;
            }
            let Some(map) = MapLoop::of_points(program, defs, vector) else { continue };
            let pull = Pull { vector, map, sites, is_last };
            if is_last || pull.plan(program, defs).is_ok() {
                candidates.push(pull);
            }
        }
        candidates
    }
}

impl Site {
    /// Takes the index apart into one for each of so many axes; whether that is how it is read.
    fn split(&mut self, program: &Program, defs: &Defs, axes: usize) -> bool {
        match defs.op(program, self.index) {
            Some(Op::Linearize(indices, _)) if indices.len() == axes => {
                self.at.clone_from(indices);
                true
            }
            _ => false,
        }
    }

    /// Whether the index is computed from what a vector or a dictionary holds.
    fn is_from_memory(&self, program: &Program, defs: &Defs) -> bool {
        let (mut next, mut seen) = (self.at.clone(), HashSet::new());
        while let Some(value) = next.pop() {
            match defs.op(program, value).filter(|_| seen.insert(value)) {
                Some(Op::At(..) | Op::Lookup(..)) => return true,
                // Below what it is says nothing of what it is.
                Some(Op::CheckIndex(index, _) | Op::AssumeIndex(index, _) | Op::Position(index, ..)) => {
                    next.push(*index);
                }
                Some(op) => op.for_each_operand(|operand| next.push(operand)),
                None => {}
            }
        }
        false
    }

    /// Whether the same element is read each time, a constant one.
    fn is_constant(&self, program: &Program, defs: &Defs) -> bool {
        let facts = Facts { program, defs };
        self.at.iter().all(|&at| {
            let index = match facts.op(at) {
                Some(Op::CheckIndex(index, _) | Op::AssumeIndex(index, _) | Op::Position(index, ..)) => {
                    *index
                }
                _ => at,
            };
            facts.integer(index).is_some()
        })
    }
}

/// The checks of indices that what computes `values` rests on: which index, below which length.
fn checks(
    program: &Program,
    defs: &Defs,
    values: impl IntoIterator<Item = Value>,
) -> HashSet<(Result<i128, Value>, Length)> {
    let (facts, lengths) = (Facts { program, defs }, Lengths::new(program, defs));
    let (mut next, mut seen, mut checks) = (Vec::from_iter(values), HashSet::new(), HashSet::new());
    while let Some(value) = next.pop() {
        let Some(op) = facts.op(value).filter(|_| seen.insert(value)) else { continue };
        if let Op::CheckIndex(index, length) | Op::Position(index, _, _, length) = *op {
            checks.insert((facts.integer(index).ok_or(index), lengths.of_value(length)));
        }
        op.for_each_operand(|operand| next.push(operand));
    }
    checks
}

impl Candidate for Pull {
    const RULE: &'static str = "pull";
    /// The numbers of the statements that compute an element, in order.
    type Rewrite = Vec<usize>;

    /// The place of the first read.
    fn loc(&self, _: &Program) -> Loc {
        self.sites[0].loc
    }

    fn producer(&self, program: &Program) -> Option<Loc> {
        let (body, index) = self.map.place;
        Some(program.bodies[body].stmts[index].loc)
    }

    fn made(&self, program: &Program) -> Option<Loc> {
        let (body, index) = self.map.place;
        let stmt = &program.bodies[body].stmts[index];
        let Op::Loop(inner) = &stmt.op else { return None };
        let mut made = inner.sinks.iter().zip(&stmt.results);
        made.find(|(_, vector)| **vector == self.vector).map(|(decl, _)| decl.loc)
    }

    fn plan(&self, program: &Program, defs: &Defs) -> Result<Vec<usize>, Reason> {
        let slice = self.slice(program, defs, self.map.value);
        let stmts = &program.bodies[self.map.body].stmts;
        let effects = Effects::of_stmts(program, defs, slice.iter().map(|&index| &stmts[index]));
        if !effects.merges.is_empty() {
            return Err(PARTIAL);
        }
        if effects.shows {
            let shows = |stmt: &&Stmt| Effects::of_stmt(program, defs, stmt).shows;
            let first = slice.iter().map(|&index| &stmts[index]).find(shows);
            return Err(first.map_or(SHOWN, |stmt| SHOWN.at(stmt.loc)));
        }
        if !self.sites.iter().all(|site| self.proves(program, defs, site, &slice)) {
            return Err(UNPROVED);
        }
        if !self.needs_checks(program, defs, &slice) {
            return Err(UNASKED);
        }
        let once = match &self.sites[..] {
            [site] => self.evaluations(program, defs, site),
            _ => Evaluations::Unknown,
        };
        // An element that nobody needs is not computed, and its index is not checked. Other faults stay where they can be seen to come from.
        let may_be_left = effects.is_total_but_for_indices() && once == Evaluations::NoMore;
        let is_total = effects.is_total()
            || effects.is_total_but_for_indices()
                && guarded::are_total(program, defs, slice.iter().map(|&index| &stmts[index]));
        if !is_total && once != Evaluations::EachOnce && !may_be_left {
            let partial = |stmt: &&Stmt| !Effects::of_stmt(program, defs, stmt).is_total();
            let first = slice.iter().map(|&index| &stmts[index]).find(partial);
            return Err(first.map_or(PARTIAL, |stmt| PARTIAL.at(stmt.loc)));
        }
        if self.is_last && self.map.keep == Keep::Stored {
            return Err(asked::STORED);
        }
        if self.map.keep == Keep::Inlined {
            return Ok(slice);
        }
        if self.is_last && once == Evaluations::Unknown {
            let gathered = self.sites.iter().filter(|site| site.is_from_memory(program, defs)).count() as u64;
            let is_table = gathered == self.sites.len() as u64 && self.is_table(program, defs);
            let (pulled, stored) =
                cost::of_gather(program, slice.iter().map(|&index| &stmts[index]), gathered, is_table);
            if gathered > 0 && pulled > stored {
                return Err(GATHERED.costs(pulled, stored));
            }
        }
        let cost = cost::of_stmts(program, slice.iter().map(|&index| &stmts[index]));
        let is_gone = self.is_last && self.is_alone(program, defs);
        if cost <= cost::MAX_RECOMPUTED || once != Evaluations::Unknown && is_gone {
            return Ok(slice);
        }
        let again = match self.copies(program, defs) {
            Some(copies) if is_gone && is_total => self.arithmetic(program, defs).map(|cost| {
                let copies = copies.saturating_sub(1) as u64;
                copies * cost
            }),
            _ => None,
        };
        match again {
            Some(again) if again <= cost::MAX_ADDED => Ok(slice),
            Some(again) => Err(REPEATED.costs(again, cost::MAX_ADDED)),
            None => Err(COSTLY.costs(cost, cost::MAX_RECOMPUTED)),
        }
    }
}

impl Pull {
    /// The statements of the map's body that `value` needs, in order.
    pub(super) fn slice(&self, program: &Program, defs: &Defs, value: Value) -> Vec<usize> {
        let stmts = &program.bodies[self.map.body].stmts;
        let mut slice = BTreeSet::new();
        let mut needed = vec![value];
        while let Some(value) = needed.pop() {
            if let Some(Def::Stmt { body, index, .. }) = defs.def(value)
                && body == self.map.body
                && slice.insert(index)
            {
                program.for_each_read_of(&stmts[index], &mut |read| needed.push(read));
            }
        }
        slice.into_iter().collect()
    }

    /// Whether an index of a site is checked, so that the check has to be needed by what computes the element.
    pub(super) fn rests_on_checks(&self, program: &Program, defs: &Defs) -> bool {
        !checks(program, defs, self.sites.iter().map(|site| site.index)).is_empty()
    }

    /// Whether what computes the element goes on to need the checks of the sites' indices: each part of it depends on its
    /// index, a vector with its length, and on no number that has been read by the same index, with which it might cancel.
    fn needs_checks(&self, program: &Program, defs: &Defs, slice: &[usize]) -> bool {
        let checked = checks(program, defs, self.sites.iter().map(|site| site.index));
        if checked.is_empty() {
            return true;
        }
        let numbers = self.reads(program, slice, self.map.value).into_iter();
        let numbers = numbers.filter(|value| program.ty(*value).is_scalars());
        self.each_part_needs_index(program, defs, self.map.value)
            && checks(program, defs, numbers).is_disjoint(&checked)
    }

    /// Whether each part of `value` depends on the index of the map.
    fn each_part_needs_index(&self, program: &Program, defs: &Defs, value: Value) -> bool {
        match defs.op(program, value) {
            Some(Op::Struct(fields, _)) if !fields.is_empty() => {
                fields.iter().all(|&field| self.each_part_needs_index(program, defs, field))
            }
            op => {
                // How long a vector is that is made here may be known.
                let is_read = matches!(op, Some(Op::At(..) | Op::Field(..) | Op::Lookup(..)));
                let slice = self.slice(program, defs, value);
                (is_read || program.ty(value).as_scalar().is_some())
                    && self.needs_all_indices(&self.reads(program, &slice, value))
            }
        }
    }

    fn needs_all_indices(&self, reads: &[Value]) -> bool {
        self.map.indices.iter().all(|index| reads.contains(index))
    }

    /// `value`, and what the statements of the map's body with these numbers read.
    fn reads(&self, program: &Program, slice: &[usize], value: Value) -> Vec<Value> {
        let mut reads = vec![value];
        for &number in slice {
            let stmt = &program.bodies[self.map.body].stmts[number];
            program.for_each_read_of(stmt, &mut |read| reads.push(read));
        }
        reads
    }

    /// Whether what the element reads unchecked can be read at the site's index as well. `zip_len` of lengths
    /// that are known makes constants indices of every vector that was zipped, but only where it is at hand.
    fn proves(&self, program: &Program, defs: &Defs, site: &Site, slice: &[usize]) -> bool {
        let mut axes = site.at.iter().zip(&self.map.extents);
        if axes.all(|(&at, &extent)| bounds::is_below(program, defs, at, extent)) {
            return true;
        }
        let [index] = self.map.indices[..] else { return false };
        let stmts = &program.bodies[self.map.body].stmts;
        let proved = |stmt: &Stmt| match stmt.op {
            Op::At(vector, at) if at == index => bounds::in_bounds(program, defs, vector, site.index),
            // An index of a loop inside has its own proof; one that is computed may rest on the map's.
            Op::At(_, at) => matches!(defs.def(at), Some(Def::Param(..))),
            _ => true,
        };
        let mut all = true;
        for &index in slice {
            all &= proved(&stmts[index]);
            for body in stmts[index].op.bodies() {
                program.for_each_stmt(body, &mut |stmt| all &= proved(stmt));
            }
        }
        all
    }

    /// Whether the map is made once, of so few elements that they stay in the nearest cache.
    fn is_table(&self, program: &Program, defs: &Defs) -> bool {
        let [extent] = self.map.extents[..] else { return false };
        let length = Lengths::new(program, defs).of_value(extent);
        Some(self.map.place.0) == program.entry
            && matches!(length, Length::Const(length) if length <= cost::MAX_TABLE)
    }

    /// Whether the loop makes nothing but this vector.
    pub(super) fn is_alone(&self, program: &Program, defs: &Defs) -> bool {
        let (body, index) = self.map.place;
        let stmt = &program.bodies[body].stmts[index];
        stmt.results.len() == 1 && Effects::of_stmt(program, defs, stmt).merges.is_empty()
    }
}
