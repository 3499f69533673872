//! The rewrite: reduced values in place of groups.

use std::collections::{BTreeSet, HashMap, HashSet};

use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::types::Type;

use super::super::tuple_reducer::{self, Constants};
use super::groups::{Groups, Reduction, Rewrite};
use crate::ir::rewrite::{Copier, Subst};
use crate::ir::{
    BodyId, Empty, Loc, Loop, Op, Program, ReduceOp, Reducer, Sink, SinkDecl, SinkKind, Stmt, Value,
};

/// Reduces by key where these groups are made, all in `body`, as their plans say. Whether there are any.
pub(super) fn apply(program: &mut Program, body: BodyId, all: &[(Groups, Rewrite)]) -> bool {
    if all.is_empty() {
        return false;
    }
    let constants = Constants::of(program);
    let (mut renamed, mut tables, mut loops) = (HashMap::new(), HashMap::new(), BTreeSet::new());
    let mut reading = Vec::new();
    for (groups, plan) in all {
        let old = groups.sink(program);
        let parts = parts_of(plan);
        renamed.insert(groups.dict, make_table(groups, &parts, &constants, program));
        let Op::Loop(inner) = &program.bodies[body].stmts[groups.index].op else {
            unreachable!("groups are found at a loop")
        };
        loops.insert(inner.body);
        tables.insert(old, (inner.sinks[groups.number].sink, plan));
        reading.push((plan, parts));
    }
    for body in loops {
        for body in program.bodies_within(body) {
            merge_parts(program, body, &tables, &constants);
        }
    }
    let mut reading = Reading::new(&reading, constants, renamed);
    reading.body(program, body);
    let subst = reading.subst;
    program.substitute_everywhere(&subst);
    true
}

fn parts_of(plan: &Rewrite) -> Vec<Part> {
    let mut parts = Vec::new();
    for reduction in &plan.reductions {
        parts.extend(reduction.inner.sinks.iter().map(Part::new));
    }
    if plan.is_counted {
        parts.push(Part {
            ty: Type::I64,
            reducer: Reducer::Op(ReduceOp::Add),
            init: None,
            empty: Empty::Identity,
        });
    }
    parts
}

/// One of the values that are kept of a group.
struct Part {
    ty: Type,
    reducer: Reducer,
    init: Option<Value>,
    empty: Empty,
}

impl Part {
    fn new(decl: &SinkDecl) -> Part {
        match &decl.kind {
            SinkKind::Reduce { ty, reducer, init, empty, .. } => {
                Part { ty: ty.clone(), reducer: reducer.clone(), init: *init, empty: *empty }
            }
            kind => unreachable!("{kind:?} is no reduction"),
        }
    }
}

/// Declares the sink that reduces, in place of the one that groups. The dictionary that it gives.
fn make_table(groups: &Groups, parts: &[Part], constants: &Constants, program: &mut Program) -> Value {
    let value = Type::structure(parts.iter().map(|part| part.ty.clone()));
    let Type::Dict(key, _) = program.ty(groups.dict) else { unreachable!("groups are a dictionary") };
    let key = (**key).clone();
    let dict = program.fresh(Type::dict(key.clone(), value.clone()));
    let sink = program.fresh_sink();
    let mut stmts = program.take_stmts(groups.body);
    let stmt = &mut stmts[groups.index];
    let reducers: Vec<Reducer> = parts.iter().map(|part| part.reducer.clone()).collect();
    let reducer = tuple_reducer::of(program, &value, &reducers, constants, stmt.loc);
    stmt.results[groups.number] = dict;
    if let Op::Loop(inner) = &mut stmt.op {
        let decl = &mut inner.sinks[groups.number];
        *decl = SinkDecl { sink, kind: SinkKind::BucketReduce { key, value, reducer }, loc: decl.loc };
    }
    program.put_stmts(groups.body, stmts);
    dict
}

/// In `body`, reduces what is merged into each sink that groups, and merges that into its table.
fn merge_parts(
    program: &mut Program,
    body: BodyId,
    tables: &HashMap<Sink, (Sink, &Rewrite)>,
    constants: &Constants,
) {
    let mut stmts = Vec::new();
    for stmt in program.take_stmts(body) {
        let merge = match &stmt.op {
            Op::Merge { sink, values } => tables.get(sink).map(|table| (table, values[0], values[1])),
            _ => None,
        };
        let Some((&(sink, plan), key, element)) = merge else {
            stmts.push(stmt);
            continue;
        };
        let mut parts = Vec::new();
        for reduction in &plan.reductions {
            parts.extend(reduction.of(program, element, constants, &mut stmts));
        }
        if plan.is_counted {
            parts.push(program.append(Op::Const(Const::I64(1)), stmt.loc, &mut stmts));
        }
        let whole = program.append(Op::Struct(parts, None), stmt.loc, &mut stmts);
        stmts.push(Stmt { op: Op::Merge { sink, values: vec![key, whole] }, ..stmt });
    }
    program.put_stmts(body, stmts);
}

impl Reduction {
    /// What is merged into each of its sinks for `element`.
    fn of(
        &self,
        program: &mut Program,
        element: Value,
        constants: &Constants,
        out: &mut Vec<Stmt>,
    ) -> Vec<Value> {
        let reads = |stmt: &Stmt| stmt.results.first().is_some_and(|result| self.elements.contains(result));
        let mut copier = Copier::new();
        for &of_group in &self.elements {
            copier.subst.insert(of_group, element);
        }
        let body = &program.bodies[self.inner.body];
        let stmts: Vec<Stmt> = body.stmts.iter().filter(|stmt| !reads(stmt)).cloned().collect();
        constants.bind(program, &stmts, &mut copier, out);
        let stmts = copier.stmts(program, &stmts);
        let body = program.add_body(Vec::new(), stmts, Vec::new());
        let merged = take_merges(program, body, &self.inner);
        out.extend(program.take_stmts(body));
        self.inner.sinks.iter().map(|decl| merged[&decl.sink]).collect()
    }
}

/// Removes the merges of `body` into the sinks of `inner`, and gives what they would merge, or the neutral value where
/// a branch merges nothing.
fn take_merges(program: &mut Program, body: BodyId, inner: &Loop) -> HashMap<Sink, Value> {
    let mut merged = HashMap::new();
    let mut stmts = Vec::new();
    for mut stmt in program.take_stmts(body) {
        match &mut stmt.op {
            Op::Merge { sink, values } if inner.sinks.iter().any(|decl| decl.sink == *sink) => {
                merged.insert(*sink, values[0]);
            }
            Op::If { then, els, .. } => {
                let sides = [*then, *els];
                let given = sides.map(|side| take_merges(program, side, inner));
                for decl in &inner.sinks {
                    if given.iter().all(|given| !given.contains_key(&decl.sink)) {
                        continue;
                    }
                    for (side, given) in sides.into_iter().zip(&given) {
                        let value = match given.get(&decl.sink) {
                            Some(&value) => value,
                            None => add_neutral(program, side, decl),
                        };
                        program.bodies[side].results.push(value);
                    }
                    let SinkKind::Reduce { ty, .. } = &decl.kind else { unreachable!("a reduction") };
                    let value = program.fresh(ty.clone());
                    stmt.results.push(value);
                    merged.insert(decl.sink, value);
                }
                stmts.push(stmt);
            }
            _ => stmts.push(stmt),
        }
    }
    program.put_stmts(body, stmts);
    merged
}

/// Binds the neutral value of the sink at the end of `body`.
fn add_neutral(program: &mut Program, body: BodyId, decl: &SinkDecl) -> Value {
    let SinkKind::Reduce { ty, reducer: Reducer::Op(op), .. } = &decl.kind else {
        unreachable!("only operators have a neutral value")
    };
    let constant = op.neutral(ty.as_scalar().expect("a reduction of scalars"));
    let mut stmts = program.take_stmts(body);
    let value = program.append(Op::Const(constant), decl.loc, &mut stmts);
    program.put_stmts(body, stmts);
    value
}

/// The rewrite of everything that reads groups.
struct Reading<'a> {
    /// The reductions by their bodies: with the number of the first part of each, and all parts.
    reductions: HashMap<BodyId, (&'a Reduction, usize, &'a [Part])>,
    /// The groups, each with the number of the part that counts it, if it is counted.
    groups: HashMap<Value, Option<u32>>,
    holders: HashSet<Value>,
    constants: Constants,
    /// The dictionaries, their lists and elements, and their groups, as they are now.
    renamed: HashMap<Value, Value>,
    subst: Subst,
}

impl<'a> Reading<'a> {
    fn new(
        all: &'a [(&'a Rewrite, Vec<Part>)],
        constants: Constants,
        renamed: HashMap<Value, Value>,
    ) -> Reading<'a> {
        let (mut reductions, mut groups, mut holders) = (HashMap::new(), HashMap::new(), HashSet::new());
        for (plan, parts) in all {
            let mut first = 0;
            for reduction in &plan.reductions {
                reductions.insert(reduction.inner.body, (reduction, first, &parts[..]));
                first += reduction.results.len();
            }
            let count = plan.is_counted.then(|| parts.len() as u32 - 1);
            groups.extend(plan.groups.iter().map(|&group| (group, count)));
            holders.extend(&plan.holders);
        }
        Reading { reductions, groups, holders, constants, renamed, subst: Subst::new() }
    }

    fn body(&mut self, program: &mut Program, id: BodyId) {
        let mut stmts = Vec::new();
        for mut stmt in program.take_stmts(id) {
            if let Some((reduction, first, parts)) = self.reduction(&stmt) {
                for (number, &result) in reduction.results.iter().enumerate() {
                    let part = Op::Field(self.renamed[&reduction.group], (first + number) as u32);
                    let part = program.append(part, stmt.loc, &mut stmts);
                    let total = self.finish(program, &parts[first + number], part, stmt.loc, &mut stmts);
                    self.subst.insert(result, total);
                }
                continue;
            }
            let renamed = |value: &Value| self.renamed.get(value).copied();
            let read = match &mut stmt.op {
                Op::ToVec(of) | Op::Lookup(of, _) | Op::At(of, _) | Op::Field(of, _) => {
                    renamed(of).map(|to| *of = to)
                }
                Op::KeyExists(of, _) => {
                    *of = renamed(of).unwrap_or(*of);
                    None
                }
                Op::Len(of) if self.groups.contains_key(of) => {
                    // Counted, or nobody reads it any more.
                    if let Some(count) = self.groups[of] {
                        let count = program.append(Op::Field(self.renamed[of], count), stmt.loc, &mut stmts);
                        self.subst.insert(stmt.results[0], count);
                    }
                    continue;
                }
                Op::Len(of) => {
                    *of = renamed(of).unwrap_or(*of);
                    None
                }
                _ => None,
            };
            if read.is_some() {
                let value = program.append(stmt.op, stmt.loc, &mut stmts);
                let result = &stmt.results[0];
                match self.groups.contains_key(result) || self.holders.contains(result) {
                    true => _ = self.renamed.insert(stmt.results[0], value),
                    false => self.subst.insert(stmt.results[0], value),
                }
                continue;
            }
            stmt.op.for_each_body(|inner| self.body(program, inner));
            stmts.push(stmt);
        }
        program.put_stmts(id, stmts);
    }

    /// The reduction that `stmt` is.
    fn reduction(&self, stmt: &Stmt) -> Option<(&'a Reduction, usize, &'a [Part])> {
        match &stmt.op {
            Op::Loop(inner) => self.reductions.get(&inner.body).copied(),
            _ => None,
        }
    }

    /// What a reduction gives for a group: what has been folded, after what it starts with.
    fn finish(
        &self,
        program: &mut Program,
        part: &Part,
        folded: Value,
        loc: Loc,
        out: &mut Vec<Stmt>,
    ) -> Value {
        let start = match (part.init, &part.reducer, part.empty) {
            (Some(init), ..) => init,
            (None, Reducer::Op(op), Empty::Identity) => {
                let ty = part.ty.as_scalar().expect("a reduction of scalars");
                program.append(Op::Const(op.identity(ty)), loc, out)
            }
            // No group is empty.
            _ => return folded,
        };
        tuple_reducer::fold(program, &part.reducer, [start, folded], &self.constants, loc, out)
    }
}
