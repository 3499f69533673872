//! Sibling loops, and sibling `for`s, over one iteration space.

use std::collections::BTreeSet;

use crate::analysis::bounds;
use crate::analysis::cost;
use crate::analysis::equal::Lengths;
use crate::analysis::order::{Meeting, merged_sinks, reads_any};
use crate::ir::rewrite::Subst;
use crate::ir::{BodyId, Defs, Loc, Loop, Op, Program, SinkDecl, SinkKind, Stmt, Value};
use crate::passes::candidate::{Candidate, Reason};

const DEPENDENT: Reason = Reason::new("{at|one of the two loops} depends on {producer|the other}");
const SAME_SINK: Reason = Reason::new("both loops merge into the same builder, one after the other");
const REGISTERS: Reason =
    Reason::new("together the loops keep {cost} sums in registers, and {limit} is the limit");
const TWO_KEYS: Reason = Reason::new("the loops fill dictionaries by different keys");

/// Two loops of one body over the same iteration space.
pub(super) struct Siblings {
    body: BodyId,
    first: usize,
    second: usize,
    /// The extents of the fused loop.
    extents: Vec<Extent>,
}

/// The extent of the fused loop for one index: one that exists, or the common value of two.
#[derive(Clone, Copy)]
enum Extent {
    Value(Value),
    Common(Value, Value),
}

impl Siblings {
    /// The pairs of loops in `body` over the same space that have something to share.
    pub(super) fn candidates(program: &Program, defs: &Defs, body: BodyId) -> Vec<Siblings> {
        let stmts = &program.bodies[body].stmts;
        let loops: Vec<usize> =
            (0..stmts.len()).filter(|&index| Space::extract(&stmts[index]).is_some()).collect();
        let mut pairs = Vec::new();
        for (at, &second) in loops.iter().enumerate() {
            for &first in &loops[..at] {
                if share(program, &stmts[first], &stmts[second])
                    && let Some(extents) = common_extents(program, defs, &stmts[first], &stmts[second])
                {
                    pairs.push(Siblings { body, first, second, extents });
                }
            }
        }
        pairs
    }
}

impl Candidate for Siblings {
    const RULE: &'static str = "siblings";
    type Plan = Meeting;

    fn loc(&self, program: &Program) -> Loc {
        program.bodies[self.body].stmts[self.second].loc
    }

    fn producer(&self, program: &Program) -> Option<Loc> {
        Some(program.bodies[self.body].stmts[self.first].loc)
    }

    fn plan(&self, program: &Program, defs: &Defs) -> Result<Meeting, Reason> {
        let stmts = &program.bodies[self.body].stmts;
        let (first, second) = (&stmts[self.first], &stmts[self.second]);
        let bound: BTreeSet<Value> = first.results.iter().copied().collect();
        if reads_any(program, second, &bound, &[]) {
            return Err(DEPENDENT);
        }
        let meeting =
            Meeting::arrange(program, defs, self.body, self.first, self.second, &[]).ok_or(DEPENDENT)?;
        if !merged_sinks(program, defs, first).is_disjoint(&merged_sinks(program, defs, second)) {
            return Err(SAME_SINK);
        }
        let (one, other) = (sinks_of(first), sinks_of(second));
        let kinds = one.iter().chain(other).map(|decl| &decl.kind);
        let sums = cost::accumulators(kinds);
        if sums > cost::ACCUMULATORS {
            return Err(REGISTERS.costs(sums as u64, cost::ACCUMULATORS as u64));
        }
        let keys = |stmt: &Stmt| merged_keys(program, stmt);
        for a in keys(first) {
            if keys(second).into_iter().any(|b| !self.alike(program, defs, a, b)) {
                return Err(TWO_KEYS);
            }
        }
        Ok(meeting)
    }

    fn apply(&self, meeting: Meeting, program: &mut Program) {
        let mut stmts = program.take_stmts(self.body);
        let (mut fused, second) = (stmts[self.first].clone(), stmts[self.second].clone());
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
        if let (Some(into), Some(from)) = (Space::extract(&fused), Space::extract(&second)) {
            append_body(program, into.body, from.body);
        }
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
        stmts = meeting.apply(stmts, self.first, self.second, pair);
        program.put_stmts(self.body, stmts);
    }
}

impl Siblings {
    /// Whether two values in the two loops are the same expression of the same indices.
    fn alike(&self, program: &Program, defs: &Defs, a: Value, b: Value) -> bool {
        let stmts = &program.bodies[self.body].stmts;
        let (Some(one), Some(other)) =
            (Space::extract(&stmts[self.first]), Space::extract(&stmts[self.second]))
        else {
            return false;
        };
        let (params, others) = (&program.bodies[one.body].params, &program.bodies[other.body].params);
        same_expression(program, defs, a, b, &|a, b| {
            params.iter().position(|&param| param == a).is_some_and(|at| others[at] == b)
        })
    }
}

/// What a loop or `for` runs over.
struct Space {
    extents: Vec<Value>,
    body: BodyId,
}

impl Space {
    fn extract(stmt: &Stmt) -> Option<Space> {
        match &stmt.op {
            Op::Loop(Loop { extents, body, .. }) if !extents.is_empty() => {
                Some(Space { extents: extents.clone(), body: *body })
            }
            Op::For { extent, body } => Some(Space { extents: vec![*extent], body: *body }),
            _ => None,
        }
    }
}

/// Whether two loops read the same vector or dictionary. `for`s always share the loop around them.
fn share(program: &Program, first: &Stmt, second: &Stmt) -> bool {
    match (&first.op, &second.op) {
        (Op::Loop(_), Op::Loop(_)) => !inputs(program, first).is_disjoint(&inputs(program, second)),
        (Op::For { .. }, Op::For { .. }) => true,
        _ => false,
    }
}

/// The extents of the fused loop, if the two have the same iteration space.
fn common_extents(program: &Program, defs: &Defs, first: &Stmt, second: &Stmt) -> Option<Vec<Extent>> {
    let (one, other) = (Space::extract(first)?, Space::extract(second)?);
    if one.extents.len() != other.extents.len() {
        return None;
    }
    let pairs = one.extents.iter().zip(&other.extents);
    pairs.map(|(&a, &b)| equal_extent(program, defs, a, b)).collect()
}

/// The extent for both loops, if theirs are equal. Where equality is known from a `zip_len`, the result is what
/// depends on it, so that proofs of bounds go on holding.
fn equal_extent(program: &Program, defs: &Defs, a: Value, b: Value) -> Option<Extent> {
    let lengths = Lengths::new(program, defs);
    if lengths.equal(a, b) {
        return Some(Extent::Value(a));
    }
    let implied = |extent: Value| {
        let numbers = bounds::implied(program, defs, extent);
        numbers.into_iter().map(|number| lengths.of_value(number)).collect::<Vec<_>>()
    };
    let (of_a, of_b) = (implied(a), implied(b));
    if of_b.contains(&lengths.of_value(a)) {
        return Some(Extent::Value(b));
    }
    if of_a.contains(&lengths.of_value(b)) {
        return Some(Extent::Value(a));
    }
    of_a.iter().any(|number| of_b.contains(number)).then_some(Extent::Common(a, b))
}

fn sinks_of(stmt: &Stmt) -> &[SinkDecl] {
    match &stmt.op {
        Op::Loop(inner) => &inner.sinks,
        _ => &[],
    }
}

/// The vectors and dictionaries that a loop reads elements of, made outside of it.
fn inputs(program: &Program, stmt: &Stmt) -> BTreeSet<Value> {
    let mut inputs = BTreeSet::new();
    let mut bound = BTreeSet::new();
    stmt.op.for_each_body(|body| {
        program.for_each_stmt(body, &mut |stmt| {
            bound.extend(stmt.results.iter().copied());
            if let Op::At(x, _) | Op::Lookup(x, _) | Op::OptLookup(x, _) | Op::KeyExists(x, _) = stmt.op {
                inputs.insert(x);
            }
        });
    });
    inputs.retain(|input| !bound.contains(input));
    inputs
}

/// The keys merged into the bucket sinks of a loop.
fn merged_keys(program: &Program, stmt: &Stmt) -> Vec<Value> {
    let buckets: Vec<_> = sinks_of(stmt)
        .iter()
        .filter(|decl| matches!(decl.kind, SinkKind::BucketCollect { .. } | SinkKind::BucketReduce { .. }))
        .map(|decl| decl.sink)
        .collect();
    let mut keys = Vec::new();
    stmt.op.for_each_body(|body| {
        program.for_each_stmt(body, &mut |stmt| match &stmt.op {
            Op::Merge { sink, values } if buckets.contains(sink) => keys.push(values[0]),
            _ => {}
        });
    });
    keys
}

/// Whether two values are the same op of the same operands, down to values that `same_leaf` pairs.
fn same_expression(
    program: &Program,
    defs: &Defs,
    a: Value,
    b: Value,
    same_leaf: &impl Fn(Value, Value) -> bool,
) -> bool {
    if a == b || same_leaf(a, b) {
        return true;
    }
    let (Some(x), Some(y)) = (defs.op(program, a), defs.op(program, b)) else { return false };
    if !x.bodies().is_empty() || program.ty(a) != program.ty(b) {
        return false;
    }
    let operands = |op: &Op| {
        let mut operands = Vec::new();
        op.for_each_operand(|operand| operands.push(operand));
        operands
    };
    let (xs, ys) = (operands(x), operands(y));
    let mut shape = y.clone();
    let mut next = xs.iter();
    shape.for_each_operand_mut(|operand| *operand = next.next().copied().unwrap_or(*operand));
    let alike = shape == *x && xs.len() == ys.len();
    alike && xs.iter().zip(&ys).all(|(&a, &b)| same_expression(program, defs, a, b, same_leaf))
}

/// Appends the statements of `from` to `into`, with the indices of `into`.
fn append_body(program: &mut Program, into: BodyId, from: BodyId) {
    let mut subst = Subst::new();
    subst.insert_all(&program.bodies[from].params.clone(), &program.bodies[into].params.clone());
    program.substitute(from, &subst);
    let mut stmts = program.take_stmts(from);
    program.bodies[into].stmts.append(&mut stmts);
}
