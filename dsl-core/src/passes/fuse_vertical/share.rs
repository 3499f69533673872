//! Share: a large consumer stands once behind several merges of its producer, instead of behind each of them.
//!
//! What an iteration merges becomes a short list, in program order: of entries that are there or not, and their values.
//! The branches of an `if` share entries, the first of one with the first of the other. The consumer goes through the
//! list in a `for`, and chooses the element by the index; a list of one entry needs no `for`.
//!
//! ```text
//! if c { merge p, x } else { merge p, y   merge p, z }    and D for each element of p
//! ```
//! ```text
//! a, b, there = if c { merge p, x   yield x, 0, false } else { merge p, y   merge p, z   yield y, z, true }
//! for t < 2 { if select(t == 0, true, there) { D of select(t == 0, a, b) } }
//! ```

use std::collections::HashMap;

use super::paste::Consumed;
use crate::analysis::merges;
use weldment_runtime::lang::types::Type;

use crate::ir::{BodyId, CompareOp, Const, Loc, Op, Program, Sink, Stmt, Value};

/// How long a list may be: to choose an element takes as many steps.
const LONGEST: usize = 8;

/// The body behind whose statements a consumer of what is merged into the `read` sinks can stand, if there is one:
/// the innermost that holds all those merges, when they are few and none is in an inner loop.
pub(super) fn block(program: &Program, body: BodyId, read: &HashMap<Value, Sink>) -> Option<BodyId> {
    let is_plain = |vector: &Value| program.ty(*vector).element().is_some_and(Type::is_scalars);
    if !read.keys().all(is_plain) {
        return None;
    }
    let sink = *read.values().next()?;
    let merging = |stmt: &Stmt| {
        let mut inside = stmt.op.bodies();
        inside.retain(|&inner| !merges::in_order(program, inner, sink).is_empty());
        (stmt.op.merges_into(sink) || !inside.is_empty()).then_some(inside)
    };
    let mut block = body;
    loop {
        let mut holders = program.bodies[block].stmts.iter().filter_map(merging);
        match (holders.next().as_deref(), holders.next()) {
            (Some(&[inner]), None) => block = inner,
            _ => break,
        }
    }
    (merges::at_most(program, block, sink)? <= LONGEST).then_some(block)
}

/// An entry of the list.
struct Entry {
    /// Whether it is there; always, if this does not say.
    there: Option<Value>,
    /// The element of each vector.
    values: Vec<Value>,
}

impl Consumed {
    /// Puts the consumer behind the statements of `block`, which [`block()`] has found.
    pub(super) fn behind_merges(&self, program: &mut Program, block: BodyId, loc: Loc) {
        let mut sinks: Vec<Sink> = self.read.values().copied().collect();
        sinks.sort_unstable();
        let mut list = list(program, block, &sinks, loc);
        let length = list.len();

        let index = program.fresh(Type::I64);
        let mut stmts = Vec::new();
        let mut chosen = list.pop().expect("something is merged");
        for (number, entry) in list.into_iter().enumerate().rev() {
            chosen = choose(program, index, number, [entry, chosen], loc, &mut stmts);
        }
        let element = |sink| chosen.values[sinks.binary_search(&sink).expect("a sink that was read")];
        let consumer = self.copy(program, element);
        match chosen.there {
            None => stmts.extend(consumer),
            Some(cond) => {
                let then = program.add_body(Vec::new(), consumer, Vec::new());
                let els = program.add_body(Vec::new(), Vec::new(), Vec::new());
                stmts.push(Stmt { results: Vec::new(), op: Op::If { cond, then, els }, loc });
            }
        }

        let mut behind = program.take_stmts(block);
        if length == 1 {
            behind.extend(stmts);
        } else {
            let extent = program.append(Op::Const(Const::I64(length as i64)), loc, &mut behind);
            let body = program.add_body(vec![index], stmts, Vec::new());
            behind.push(Stmt { results: Vec::new(), op: Op::For { extent, body }, loc });
        }
        program.put_stmts(block, behind);
    }
}

/// The list of what `body` merges into `sinks`. Where branches merge, they give it on.
fn list(program: &mut Program, body: BodyId, sinks: &[Sink], loc: Loc) -> Vec<Entry> {
    let mut list: Vec<Entry> = Vec::new();
    // How many elements of each vector have been merged here, and where the entry of each is.
    let mut places: Vec<usize> = Vec::new();
    let mut merged = vec![0; sinks.len()];
    let mut stmts = program.take_stmts(body);
    for stmt in &mut stmts {
        match &stmt.op {
            Op::Merge { sink, values } => {
                let Ok(number) = sinks.binary_search(sink) else { continue };
                if merged[number] == places.len() {
                    places.push(list.len());
                    list.push(Entry { there: None, values: vec![values[0]; sinks.len()] });
                }
                list[places[merged[number]]].values[number] = values[0];
                merged[number] += 1;
            }
            &Op::If { then, els, .. } => {
                let sides = [then, els].map(|side| (side, self::list(program, side, sinks, loc)));
                list.extend(join(program, stmt, sides, loc));
            }
            _ => {}
        }
    }
    program.put_stmts(body, stmts);
    list
}

/// The list that an `if` gives on, as results that it has besides its own.
fn join(program: &mut Program, stmt: &mut Stmt, sides: [(BodyId, Vec<Entry>); 2], loc: Loc) -> Vec<Entry> {
    let length = sides[0].1.len().max(sides[1].1.len());
    let types: Vec<Type> = match sides.iter().find_map(|(_, list)| list.first()) {
        Some(entry) => entry.values.iter().map(|&value| program.ty(value).clone()).collect(),
        None => return Vec::new(),
    };
    let always = |number: usize| {
        sides.iter().all(|(_, list)| list.get(number).is_some_and(|entry| entry.there.is_none()))
    };
    let always: Vec<bool> = (0..length).map(always).collect();
    for (side, list) in &sides {
        let mut stmts = program.take_stmts(*side);
        let mut results = Vec::new();
        for (number, &always) in always.iter().enumerate() {
            let entry = list.get(number);
            if !always {
                let there = entry.and_then(|entry| entry.there);
                let is_there = Op::Const(Const::Bool(entry.is_some()));
                results.push(there.unwrap_or_else(|| program.append(is_there, loc, &mut stmts)));
            }
            match entry {
                Some(entry) => results.extend(&entry.values),
                None => results.extend(types.iter().map(|ty| zero(program, ty, loc, &mut stmts))),
            }
        }
        program.put_stmts(*side, stmts);
        program.bodies[*side].results.extend(results);
    }
    let mut entries = Vec::new();
    for always in always {
        let there = (!always).then(|| program.fresh(Type::BOOL));
        let values: Vec<Value> = types.iter().map(|ty| program.fresh(ty.clone())).collect();
        stmt.results.extend(there.into_iter().chain(values.iter().copied()));
        entries.push(Entry { there, values });
    }
    entries
}

/// What stands for the element of an entry that is not there.
fn zero(program: &mut Program, ty: &Type, loc: Loc, stmts: &mut Vec<Stmt>) -> Value {
    let zero = |scalar| Const::from_i128(scalar, 0);
    program.append_constant(ty, zero, loc, stmts).expect("elements are made of scalars")
}

/// The first of two entries if the index is its number, else the second.
fn choose(
    program: &mut Program,
    index: Value,
    number: usize,
    [entry, other]: [Entry; 2],
    loc: Loc,
    stmts: &mut Vec<Stmt>,
) -> Entry {
    let number = program.append(Op::Const(Const::I64(number as i64)), loc, stmts);
    let is_it = program.append(Op::Compare(CompareOp::Eq, index, number), loc, stmts);
    let there = (entry.there.is_some() || other.there.is_some()).then(|| {
        let [x, y] = [entry.there, other.there]
            .map(|there| there.unwrap_or_else(|| program.append(Op::Const(Const::Bool(true)), loc, stmts)));
        program.append(Op::Select(is_it, x, y), loc, stmts)
    });
    let pairs = entry.values.into_iter().zip(other.values);
    let values = pairs.map(|(x, y)| program.append(Op::Select(is_it, x, y), loc, stmts)).collect();
    Entry { there, values }
}
