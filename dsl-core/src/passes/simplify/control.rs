//! The table of rules on branches, loops and regions.

use std::collections::HashSet;

use weldment_runtime::lang::scalar::{self, Const};
use weldment_runtime::lang::types::Type;

use super::shapes::Rule;
use crate::analysis::effects::Effects;
use crate::analysis::equal::places;
use crate::analysis::rounding;
use crate::ir::local::{Facts, Replacement};
use crate::ir::rewrite::Subst;
use crate::ir::{
    BodyId, Defs, Empty, Loc, Loop, Op, Program, Reducer, Sink, SinkDecl, SinkKind, Stmt, UnaryOp, Value,
};

/// All rules on branches, loops and regions.
pub(super) const RULES: &[Rule] = &[
    ("if !c { A } else { B } = if c { B } else { A }", negated_condition),
    ("if c { yield a, x } else { yield b, x } = if c { yield a } else { yield b }, x", common_result),
    ("if c { yield k } else { yield k } = k, a constant", common_constant),
    ("if c { … c … } else { … c … } = if c { … true … } else { … false … }", known_condition),
    (
        "if c { yield struct {a} } else { yield struct {b} } = struct {if c { yield a } else { yield b }}",
        branches_of_structs,
    ),
    (
        "if c { merge #0, a } else { merge #0, b } = merge #0, (if c { yield a } else { yield b }), where no merge faults",
        common_merge,
    ),
    ("for i < 0 { B } = nothing; loop i < 0 { B } = region {}", no_iterations),
    ("for i < 1 { B } = B, i := 0", one_iteration),
    ("for i < n { B }, without merges = loop i < n { B }", for_without_merges),
    ("region { A; for i < n { B } } = A; loop i < n { B }", lone_for),
    ("loop i < n { B }, without sinks of its own = for i < n { B }", loop_without_sinks),
    ("a sink without merges = its empty value", unmerged_sink),
    (
        "region { A; merge #0, a; merge #0, b } = A; vector [a, b], of a collect; A; a + b, of a reduce",
        straight_region,
    ),
];

fn negated_condition(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::If { cond, then, els } = stmt.op else { return None };
    match (Facts { program, defs }).op(cond)? {
        Op::Unary(UnaryOp::Not, cond) => {
            Some(Replacement::op(stmt, Op::If { cond: *cond, then: els, els: then }))
        }
        _ => None,
    }
}

/// Both branches give the same value, which is therefore bound outside.
fn common_result(program: &mut Program, _: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::If { then, els, .. } = stmt.op else { return None };
    let (a, b) = (&program.bodies[then].results, &program.bodies[els].results);
    let number = (0..a.len()).find(|&number| a[number] == b[number])?;
    let common = program.bodies[then].results.remove(number);
    program.bodies[els].results.remove(number);
    let mut values = stmt.results.clone();
    values[number] = common;
    let mut stmt = stmt.clone();
    stmt.results.remove(number);
    Some(Replacement { stmts: vec![stmt], values })
}

/// Both branches give the same constant. Each has its own, which no pass that looks for common results makes one.
fn common_constant(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::If { then, els, .. } = stmt.op else { return None };
    let facts = Facts { program, defs };
    let (a, b) = (&program.bodies[then].results, &program.bodies[els].results);
    let mut pairs = a.iter().zip(b).map(|(&a, &b)| facts.constant(a).zip(facts.constant(b)));
    let number = pairs.position(|pair| pair.is_some_and(|(a, b)| a == b))?;
    let constant = facts.constant(a[number])?;
    for branch in [then, els] {
        program.bodies[branch].results.remove(number);
    }
    let outside = program.stmt(Op::Const(constant), stmt.loc);
    let mut values = stmt.results.clone();
    values[number] = outside.results[0];
    let mut stmt = stmt.clone();
    stmt.results.remove(number);
    Some(Replacement { stmts: vec![outside, stmt], values })
}

fn known_condition(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::If { cond, then, els } = stmt.op else { return None };
    if (Facts { program, defs }).constant(cond).is_some() {
        return None;
    }
    let mut stmts = Vec::new();
    for (branch, known) in [(then, true), (els, false)] {
        let mut reads = false;
        program.for_each_read(branch, &mut |value| reads |= value == cond);
        if reads {
            let constant = program.stmt(Op::Const(Const::Bool(known)), stmt.loc);
            let mut subst = Subst::new();
            subst.insert(cond, constant.results[0]);
            program.substitute(branch, &subst);
            stmts.push(constant);
        }
    }
    if stmts.is_empty() {
        return None;
    }
    stmts.push(stmt.clone());
    Some(Replacement { stmts, values: stmt.results.clone() })
}

/// One result is a struct, made as one in a branch: give its components, and make the struct afterwards.
fn branches_of_structs(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::If { cond, then, els } = stmt.op else { return None };
    let facts = Facts { program, defs };
    let made = |branch: BodyId, number: usize| facts.fields(program.bodies[branch].results[number]).is_some();
    let number = (0..stmt.results.len()).find(|&number| made(then, number) || made(els, number))?;
    for branch in [then, els] {
        let whole = program.bodies[branch].results.remove(number);
        let fields = match (Facts { program, defs }).fields(whole) {
            Some(fields) => fields.to_vec(),
            None => take_apart(program, branch, whole, stmt),
        };
        program.bodies[branch].results.extend(fields);
    }
    let mut inner = program.stmt(Op::If { cond, then, els }, stmt.loc);
    let rest = stmt.results.len() - 1;
    let fields = inner.results.split_off(rest);
    let name = program.ty(stmt.results[number]).struct_name().cloned();
    let whole = program.stmt(Op::Struct(fields.clone(), name), stmt.loc);
    let mut values = inner.results.clone();
    values.insert(number, whole.results[0]);
    inner.results.extend(fields);
    Some(Replacement { stmts: vec![inner, whole], values })
}

/// Adds the fields of a struct to the end of `body`.
fn take_apart(program: &mut Program, body: BodyId, whole: Value, stmt: &Stmt) -> Vec<Value> {
    let number = program.ty(whole).fields().map_or(0, |fields| fields.len() as u32);
    (0..number)
        .map(|field| {
            let stmt = program.stmt(Op::Field(whole, field), stmt.loc);
            let value = stmt.results[0];
            program.bodies[body].stmts.push(stmt);
            value
        })
        .collect()
}

/// Each branch merges once into the same sink, and not deeper inside.
///
/// The branches without the merge are new bodies: as long as the walk goes on, other rules count the merges of this
/// loop to know lengths.
fn common_merge(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::If { cond, then, els } = stmt.op else { return None };
    let once = |sink: Sink| [then, els].iter().all(|&branch| places(program, branch, sink) == [(branch, 1)]);
    let mut sinks = merged_sinks(program, then).into_iter();
    let sink = sinks.find(|&sink| once(sink) && !is_scatter(program, defs, then, sink))?;
    let mut number = 0;
    let mut without_merge = |branch: BodyId| {
        let mut branch = program.bodies[branch].clone();
        let at = branch.stmts.iter().position(|stmt| stmt.op.merges_into(sink))?;
        if let Op::Merge { values, .. } = branch.stmts.remove(at).op {
            number = values.len();
            branch.results.extend(values);
        }
        Some(program.add_body(branch.params, branch.stmts, branch.results))
    };
    let (then, els) = (without_merge(then)?, without_merge(els)?);
    let inner = program.stmt(Op::If { cond, then, els }, stmt.loc);
    let (results, values) = inner.results.split_at(inner.results.len() - number);
    let (results, values) = (results.to_vec(), values.to_vec());
    let merge = program.stmt(Op::Merge { sink, values }, stmt.loc);
    Some(Replacement { stmts: vec![inner, merge], values: results })
}

/// Whether `sink`, into which `body` merges, is a scatter, as far as is known. A merge into one can fault, and then it has a place,
/// which one merge has not in common with two.
fn is_scatter(program: &Program, defs: &Defs, body: BodyId, sink: Sink) -> bool {
    let mut body = body;
    while let Some((holder, number)) = defs.holder(body) {
        if let Some(Op::Loop(inner)) = program.bodies[holder].stmts.get(number).map(|stmt| &stmt.op)
            && let Some(decl) = inner.sinks.iter().find(|decl| decl.sink == sink)
        {
            return matches!(decl.kind, SinkKind::Scatter { .. });
        }
        body = holder;
    }
    true
}

/// The sinks that the statements of `body` itself merge into.
fn merged_sinks(program: &Program, body: BodyId) -> Vec<Sink> {
    let merges = program.bodies[body].stmts.iter().filter_map(|stmt| match stmt.op {
        Op::Merge { sink, .. } => Some(sink),
        _ => None,
    });
    merges.collect()
}

fn no_iterations(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let facts = Facts { program, defs };
    match &stmt.op {
        Op::For { extent, .. } if facts.integer(*extent)? == 0 => Some(Replacement::values(Vec::new())),
        Op::Loop(inner) if inner.extents.iter().any(|&extent| facts.integer(extent) == Some(0)) => {
            let body = program.add_body(Vec::new(), Vec::new(), Vec::new());
            let region = Loop { extents: Vec::new(), body, sinks: inner.sinks.clone() };
            if inner.extents.len() == 1 {
                return Some(Replacement::op(stmt, Op::Loop(region)));
            }
            let (extents, results) = (inner.extents.clone(), stmt.results.clone());
            Some(with_shape(program, stmt.loc, region, &results, &extents))
        }
        _ => None,
    }
}

/// `region`, what is collected in which are the elements of arrays: what replaces a loop over several extents says so, for it was the proof
/// that indices of these axes are inside. A reduction may give a vector as well, which has a length of its own.
fn with_shape(
    program: &mut Program,
    loc: Loc,
    region: Loop,
    results: &[Value],
    extents: &[Value],
) -> Replacement {
    let types: Vec<Type> = results.iter().map(|&result| program.ty(result).clone()).collect();
    let made: Vec<Value> = types.into_iter().map(|ty| program.fresh(ty)).collect();
    let collects: Vec<bool> =
        region.sinks.iter().map(|decl| matches!(decl.kind, SinkKind::Collect { .. })).collect();
    let mut stmts = vec![Stmt { results: made.clone(), op: Op::Loop(region), loc }];
    let shaped = |(vector, collected): (Value, bool)| match collected {
        true => program.append(Op::Shape(vector, extents.to_vec()), loc, &mut stmts),
        false => vector,
    };
    let values = made.into_iter().zip(collects).map(shaped).collect();
    Replacement { stmts, values }
}

fn one_iteration(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let facts = Facts { program, defs };
    let (body, region) = match &stmt.op {
        Op::For { extent, body } if facts.integer(*extent)? == 1 => (*body, None),
        Op::Loop(Loop { extents, body, sinks }) => match extents[..] {
            [extent] if facts.integer(extent)? == 1 => (*body, Some(sinks.clone())),
            _ => return None,
        },
        _ => return None,
    };
    let leaves = region.is_none() || rounding::may_leave(program, body);
    if !leaves || !rounding::may_write_out(program, defs, stmt) {
        return None;
    }
    let zero = program.stmt(Op::Const(Const::I64(0)), stmt.loc);
    let mut subst = Subst::new();
    subst.insert(program.bodies[body].params.remove(0), zero.results[0]);
    program.substitute(body, &subst);
    let mut stmts = vec![zero];
    match region {
        None => stmts.extend(program.bodies[body].stmts.clone()),
        Some(sinks) => {
            let op = Op::Loop(Loop { extents: Vec::new(), body, sinks });
            stmts.push(Stmt { results: stmt.results.clone(), op, loc: stmt.loc });
        }
    }
    Some(Replacement { stmts, values: stmt.results.clone() })
}

/// What runs for its assertions alone belongs to no loop around it.
fn for_without_merges(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::For { extent, body } = stmt.op else { return None };
    let merges = !Effects::of_body(program, defs, body).merges.is_empty();
    let inner = Loop { extents: vec![extent], body, sinks: Vec::new() };
    (!merges).then(|| Replacement::op(stmt, Op::Loop(inner)))
}

/// A region whose sinks are fed by a single `for`: the statements around it need no region.
fn lone_for(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::Loop(Loop { extents, body, sinks }) = &stmt.op else { return None };
    if !extents.is_empty() || sinks.is_empty() || !rounding::may_leave(program, *body) {
        return None;
    }
    let stmts = &program.bodies[*body].stmts;
    let feeds = |stmt: &Stmt| {
        let merges = Effects::of_stmt(program, defs, stmt).merges;
        sinks.iter().any(|decl| merges.contains(&decl.sink))
    };
    let mut feeding = (0..stmts.len()).filter(|&at| feeds(&stmts[at]));
    let (at, None) = (feeding.next()?, feeding.next()) else { return None };
    let Op::For { extent, body: inner } = stmts[at].op else { return None };
    let others = stmts[..at].iter().chain(&stmts[at + 1..]);
    if others.into_iter().any(|stmt| holds_for(program, stmt)) {
        return None;
    }
    let mut stmts = stmts.clone();
    let op = Op::Loop(Loop { extents: vec![extent], body: inner, sinks: sinks.clone() });
    stmts[at] = Stmt { results: stmt.results.clone(), op, loc: stmts[at].loc };
    Some(Replacement { stmts, values: stmt.results.clone() })
}

/// Whether a statement is or holds a `for` that stands in none of its own loops: it needs a loop around it.
fn holds_for(program: &Program, stmt: &Stmt) -> bool {
    match &stmt.op {
        Op::For { .. } => true,
        Op::Loop(_) => false,
        op => {
            let bodies = op.bodies();
            bodies.iter().any(|&body| program.bodies[body].stmts.iter().any(|stmt| holds_for(program, stmt)))
        }
    }
}

/// What only feeds the sinks of loops around it.
fn loop_without_sinks(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::Loop(Loop { extents, body, sinks }) = &stmt.op else { return None };
    if !sinks.is_empty() {
        return None;
    }
    let Some((&first, rest)) = extents.split_first() else {
        let stmts = &program.bodies[*body].stmts;
        let needs_region = stmts
            .iter()
            .any(|stmt| holds_for(program, stmt) && Effects::of_stmt(program, defs, stmt).merges.is_empty());
        let may_leave = !needs_region && rounding::may_leave(program, *body);
        return may_leave.then(|| Replacement { stmts: stmts.clone(), values: Vec::new() });
    };
    if Effects::of_stmt(program, defs, stmt).merges.is_empty() {
        return None;
    }
    let mut body = *body;
    for &extent in rest.iter().rev() {
        let index = program.bodies[body].params.pop()?;
        let params = std::mem::take(&mut program.bodies[body].params);
        program.bodies[body].params = vec![index];
        let inner = Stmt { results: Vec::new(), op: Op::For { extent, body }, loc: stmt.loc };
        body = program.add_body(params, vec![inner], Vec::new());
    }
    Some(Replacement::op(stmt, Op::For { extent: first, body }))
}

/// A sink that nothing is merged into has its empty value, unless that is a fault or a dictionary.
fn unmerged_sink(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::Loop(Loop { extents, body, sinks }) = &stmt.op else { return None };
    // A `for` needs a loop with sinks around it: first it becomes a loop itself.
    let mut waits = false;
    let mut merged = HashSet::new();
    program.for_each_stmt(*body, &mut |stmt| match stmt.op {
        Op::Merge { sink, .. } => drop(merged.insert(sink)),
        Op::For { .. } => waits |= Effects::of_stmt(program, defs, stmt).merges.is_empty(),
        _ => {}
    });
    if waits {
        return None;
    }
    for (number, decl) in sinks.iter().enumerate() {
        if merged.contains(&decl.sink) {
            continue;
        }
        let mut stmts = Vec::new();
        let Some(value) = empty_value(program, decl, stmt, &mut stmts) else { continue };
        let mut sinks = sinks.clone();
        sinks.remove(number);
        let mut values = stmt.results.clone();
        values[number] = value;
        let mut results = stmt.results.clone();
        results.remove(number);
        let op = Op::Loop(Loop { extents: extents.clone(), body: *body, sinks });
        stmts.push(Stmt { results, op, loc: stmt.loc });
        return Some(Replacement { stmts, values });
    }
    None
}

fn empty_value(program: &mut Program, decl: &SinkDecl, stmt: &Stmt, stmts: &mut Vec<Stmt>) -> Option<Value> {
    match &decl.kind {
        SinkKind::Collect { .. } => {
            let empty = program.stmt_typed(Op::Vector(Vec::new()), vec![decl.kind.result_type()], stmt.loc);
            let value = empty.results[0];
            stmts.push(empty);
            Some(value)
        }
        SinkKind::Reduce { init: Some(init), .. } | SinkKind::Scatter { init, .. } => Some(*init),
        SinkKind::Reduce { ty, reducer: Reducer::Op(op), init: None, empty: Empty::Identity, .. } => {
            program.append_constant(ty, |scalar| op.identity(scalar), stmt.loc, stmts)
        }
        _ => None,
    }
}

/// A region all of whose merges stand in it by themselves: what it collects are vectors of known elements, and what it folds by an operator is
/// computed in order, as it is there. Merges into other sinks stay in a region of their own.
fn straight_region(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::Loop(Loop { extents, body, sinks }) = &stmt.op else { return None };
    let is_straight =
        |decl: &SinkDecl| places(program, *body, decl.sink).iter().all(|(place, _)| place == body);
    if !extents.is_empty() || !sinks.iter().all(is_straight) || !rounding::may_leave(program, *body) {
        return None;
    }
    let (mut merges, mut stmts): (Vec<Stmt>, Vec<Stmt>) = program.bodies[*body]
        .stmts
        .clone()
        .into_iter()
        .partition(|stmt| sinks.iter().any(|decl| stmt.op.merges_into(decl.sink)));
    let (mut others, mut results, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for (decl, &result) in sinks.iter().zip(&stmt.results) {
        let of_sink = merges.iter().filter_map(|stmt| match &stmt.op {
            Op::Merge { sink, values } if *sink == decl.sink => values.first().copied(),
            _ => None,
        });
        let merged = of_sink.collect();
        let Some(value) = straight_result(program, defs, decl, merged, stmt.loc, &mut stmts) else {
            others.push(decl.clone());
            results.push(result);
            values.push(result);
            continue;
        };
        merges.retain(|stmt| !stmt.op.merges_into(decl.sink));
        values.push(value);
    }
    if others.len() == sinks.len() {
        return None;
    }
    if !others.is_empty() {
        let body = program.add_body(Vec::new(), merges, Vec::new());
        let region = Loop { extents: Vec::new(), body, sinks: others };
        stmts.push(Stmt { results, op: Op::Loop(region), loc: stmt.loc });
    }
    Some(Replacement { stmts, values })
}

/// What a sink gives into which these values are merged, if that is a vector of them or an operator folds scalars.
///
/// What is known is computed here: a sum of ones may be a length, which is known before it is written out.
fn straight_result(
    program: &mut Program,
    defs: &Defs,
    decl: &SinkDecl,
    merged: Vec<Value>,
    loc: Loc,
    stmts: &mut Vec<Stmt>,
) -> Option<Value> {
    match &decl.kind {
        SinkKind::Collect { .. } => {
            let vector = program.stmt_typed(Op::Vector(merged), vec![decl.kind.result_type()], loc);
            let value = vector.results[0];
            stmts.push(vector);
            Some(value)
        }
        SinkKind::Reduce { ty: ty @ Type::Scalar(_), reducer: Reducer::Op(op), init, empty, .. } => {
            let start = match (init, empty) {
                _ if merged.is_empty() => return None,
                (Some(init), _) => Some(*init),
                (None, Empty::Identity) => {
                    program.append_constant(ty, |scalar| op.identity(scalar), loc, stmts)
                }
                (None, Empty::Fault) => None,
            };
            let facts = Facts { program, defs };
            let constants = merged.iter().map(|&value| facts.constant(value));
            let known = constants.reduce(|a, b| scalar::binary(op.binary(), a?, b?).ok())?;
            let known = known.map(|known| program.append(Op::Const(known), loc, stmts));
            let mut fold = |a, b| program.append(Op::Binary(op.binary(), a, b), loc, stmts);
            let folded = match known {
                Some(known) => known,
                None => merged.into_iter().reduce(&mut fold)?,
            };
            Some(match start {
                Some(start) => fold(start, folded),
                None => folded,
            })
        }
        _ => None,
    }
}
