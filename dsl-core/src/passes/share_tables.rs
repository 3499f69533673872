//! Dictionaries that one loop fills by the same key become one, of all their values: each key is then hashed and
//! looked for once.
//!
//! **Preconditions**: equal keys are one value (`common-subexpressions`).
//!
//! **Before / After**
//! ```text
//! program(v0: vec[i64], v1: i64) {
//!   v2: i64 = len v0
//!   v3: dict[i64,i64], v4: dict[i64,i64] = loop v5 < v2 {
//!     sink #0 = bucket_reduce + i64 -> i64
//!     sink #1 = bucket_reduce max i64 -> i64
//!     v6: i64 = at v0, v5
//!     v7: i64 = rem v6, v1
//!     merge #0, v7, v6
//!     merge #1, v7, v5
//!   }
//!   v8: i64 = lookup v3, v1
//!   v9: i64 = lookup v4, v1
//!   v10: i64 = add v8, v9
//!   return v10
//! }
//! ```
//! ```text
//! program(v0: vec[i64], v1: i64) {
//!   v2: i64 = len v0
//!   v3: dict[i64,{i64,i64}] = loop v4 < v2 {
//!     sink #0 = bucket_reduce by (v5: {i64,i64}, v6: {i64,i64}) {
//!       v7: i64 = field v5, 0
//!       v8: i64 = field v6, 0
//!       v9: i64 = add v7, v8
//!       v10: i64 = field v5, 1
//!       v11: i64 = field v6, 1
//!       v12: i64 = max v10, v11
//!       v13: {i64,i64} = struct {v9, v12}
//!       return v13
//!     } i64 -> {i64,i64}
//!     v14: i64 = at v0, v4
//!     v15: i64 = rem v14, v1
//!     v16: {i64,i64} = struct {v14, v4}
//!     merge #0, v15, v16
//!   }
//!   v17: {i64,i64} = lookup v3, v1
//!   v18: i64 = field v17, 0
//!   v19: {i64,i64} = lookup v3, v1
//!   v20: i64 = field v19, 1
//!   v21: i64 = add v18, v20
//!   return v21
//! }
//! ```
//!
//! **Declines when** a dictionary is more than looked up, measured and listed: a part of the result, an element of
//! something else, the state of an `iterate`; when some merges have another key, or another guard.
//!
//! **Order**: after `fuse-horizontal`, which brings the dictionaries into one loop, and `group-by-reduce`, which makes
//! more of them. `common-subexpressions` then makes one of the lookups of one key.

use std::collections::VecDeque;

use weldment_runtime::types::Type;

use super::candidate::{Candidate, Fusion, Reason, fuse_all};
use super::tuple_reducer::{self, Constants};
use super::{Cx, Pass};
use crate::ir::rewrite::Subst;
use crate::ir::{BodyId, Defs, Loc, Loop, Op, Program, Sink, SinkDecl, SinkKind, Stmt, Value};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "share-tables",
    summary: "make one dictionary of those that a loop fills by the same key",
    run: |program, cx| fuse_all(program, cx, share_one),
};

const KEPT: Reason = Reason::new("a dictionary is used otherwise than by its keys and values");

fn share_one(program: &mut Program, cx: &mut Cx, bodies: &[BodyId]) -> bool {
    let defs = Defs::of(program);
    bodies.iter().any(|&body| cx.fuse_first(program, &defs, Pair::candidates(program, body)))
}

/// Two dictionaries that one loop fills by the same key.
struct Pair {
    body: BodyId,
    /// The number of the loop among the statements.
    index: usize,
    /// The numbers of the sinks.
    numbers: [usize; 2],
}

impl Pair {
    /// Those of the loops that stand in `body`.
    fn candidates(program: &Program, body: BodyId) -> Vec<Pair> {
        let mut candidates = Vec::new();
        for (index, stmt) in program.bodies[body].stmts.iter().enumerate() {
            let Op::Loop(inner) = &stmt.op else { continue };
            let tables = inner.sinks.iter().enumerate();
            let tables = tables.filter(|(_, decl)| matches!(decl.kind, SinkKind::BucketReduce { .. }));
            let tables: Vec<_> =
                tables.map(|(number, decl)| (number, keys(program, inner.body, decl.sink))).collect();
            for (at, (second, keys)) in tables.iter().enumerate() {
                if let Some((first, _)) = tables[..at].iter().find(|(_, others)| others == keys) {
                    candidates.push(Pair { body, index, numbers: [*first, *second] });
                }
            }
        }
        candidates
    }

    fn parts<'a>(&self, program: &'a Program) -> (&'a Stmt, &'a Loop) {
        let stmt = &program.bodies[self.body].stmts[self.index];
        let Op::Loop(inner) = &stmt.op else { unreachable!("tables are found at a loop") };
        (stmt, inner)
    }
}

/// The key of each merge into `sink` in `body` and the bodies inside it, in program order, with its place.
fn keys(program: &Program, body: BodyId, sink: Sink) -> Vec<(BodyId, Value)> {
    let mut keys = Vec::new();
    program.for_each_body(body, &mut |body| {
        for stmt in &program.bodies[body].stmts {
            if let Op::Merge { sink: into, values } = &stmt.op
                && *into == sink
            {
                keys.push((body, values[0]));
            }
        }
    });
    keys
}

impl Candidate for Pair {
    const RULE: &'static str = "same key";
    type Plan = ();

    fn loc(&self, program: &Program) -> Loc {
        self.parts(program).1.sinks[self.numbers[1]].loc
    }

    fn producer(&self, program: &Program) -> Option<Loc> {
        Some(self.parts(program).1.sinks[self.numbers[0]].loc)
    }

    fn plan(&self, program: &Program, _: &Defs) -> Result<(), Reason> {
        let (stmt, inner) = self.parts(program);
        let [first, second] = self.numbers.map(|number| stmt.results[number]);
        let mut because = None;
        each_other_use(program, &mut |value, loc| {
            if value == first || value == second {
                because.get_or_insert(loc);
            }
        });
        match because {
            Some(loc) => Err(KEPT.at(loc.unwrap_or(inner.sinks[self.numbers[0]].loc))),
            None => Ok(()),
        }
    }
}

impl Fusion for Pair {
    fn apply(&self, (): (), program: &mut Program) {
        let (shared, body) = self.declare(program);
        for body in program.bodies_within(body) {
            shared.merge(program, body);
        }
        let mut subst = Subst::new();
        for body in program.bodies_within(program.entry.expect("a program has an entry")) {
            shared.read(program, body, &mut subst);
        }
        program.substitute_everywhere(&subst);
    }
}

/// Visits every use of a value, but of dictionaries by their keys and values, with its place if it is not a result.
fn each_other_use(program: &Program, visit: &mut impl FnMut(Value, Option<Loc>)) {
    let Some(entry) = program.entry else { return };
    program.for_each_body(entry, &mut |body| {
        for stmt in &program.bodies[body].stmts {
            match stmt.op {
                Op::Len(_) | Op::ToVec(_) => {}
                Op::Lookup(_, key) | Op::KeyExists(_, key) | Op::OptLookup(_, key) => {
                    visit(key, Some(stmt.loc));
                }
                _ => stmt.op.for_each_operand(|operand| visit(operand, Some(stmt.loc))),
            }
        }
        program.bodies[body].results.iter().for_each(|&result| visit(result, None));
    });
}

/// What two dictionaries become.
struct Shared {
    /// The two dictionaries, and the one in place of them.
    old: [Value; 2],
    dict: Value,
    /// The sinks of the two, and that of the one.
    sinks: [Sink; 2],
    sink: Sink,
}

impl Pair {
    /// Declares the sink of both; what it stands for, and the body that merges.
    fn declare(&self, program: &mut Program) -> (Shared, BodyId) {
        let mut stmts = program.take_stmts(self.body);
        let stmt = &mut stmts[self.index];
        let Op::Loop(inner) = &mut stmt.op else { unreachable!("tables are found at a loop") };
        let second = inner.sinks.remove(self.numbers[1]);
        let first = &mut inner.sinks[self.numbers[0]];
        let (
            SinkKind::BucketReduce { key, value: a, reducer: by_a },
            SinkKind::BucketReduce { value: b, reducer: by_b, .. },
        ) = (&first.kind, second.kind)
        else {
            unreachable!("tables reduce")
        };
        let (key, value) = (key.clone(), Type::structure([a.clone(), b]));
        let reducers = [by_a.clone(), by_b];
        let reducer = tuple_reducer::of(program, &value, &reducers, &Constants::default(), first.loc);
        let sink = program.fresh_sink();
        let dict = program.fresh(Type::dict(key.clone(), value.clone()));
        let sinks = [first.sink, second.sink];
        let kind = SinkKind::BucketReduce { key, value, reducer };
        *first = SinkDecl { sink, kind, loc: first.loc };
        let body = inner.body;
        let second = stmt.results.remove(self.numbers[1]);
        let first = std::mem::replace(&mut stmt.results[self.numbers[0]], dict);
        program.put_stmts(self.body, stmts);
        (Shared { old: [first, second], dict, sinks, sink }, body)
    }
}

impl Shared {
    /// Makes one merge of each two in `body`, where the second of them stands.
    fn merge(&self, program: &mut Program, body: BodyId) {
        let mut waiting = [VecDeque::new(), VecDeque::new()];
        let mut stmts = Vec::new();
        for stmt in program.take_stmts(body) {
            let number = self.sinks.iter().position(|&sink| stmt.op.merges_into(sink));
            let (Some(number), Op::Merge { values, .. }) = (number, &stmt.op) else {
                stmts.push(stmt);
                continue;
            };
            let (key, value) = (values[0], values[1]);
            match waiting[1 - number].pop_front() {
                None => waiting[number].push_back(value),
                Some(other) => {
                    let both = if number == 1 { [other, value] } else { [value, other] };
                    let whole = program.append(Op::Struct(both.to_vec(), None), stmt.loc, &mut stmts);
                    let op = Op::Merge { sink: self.sink, values: vec![key, whole] };
                    stmts.push(Stmt { op, ..stmt });
                }
            }
        }
        program.put_stmts(body, stmts);
    }

    /// Reads the one dictionary wherever `body` reads one of the two.
    fn read(&self, program: &mut Program, body: BodyId, subst: &mut Subst) {
        let mut stmts = Vec::new();
        for mut stmt in program.take_stmts(body) {
            let of = match &mut stmt.op {
                Op::Len(of)
                | Op::ToVec(of)
                | Op::Lookup(of, _)
                | Op::KeyExists(of, _)
                | Op::OptLookup(of, _) => of,
                _ => {
                    stmts.push(stmt);
                    continue;
                }
            };
            let Some(number) = self.old.iter().position(|old| old == of) else {
                stmts.push(stmt);
                continue;
            };
            *of = self.dict;
            let (loc, number) = (stmt.loc, number as u32);
            if let Op::Len(_) | Op::KeyExists(..) = stmt.op {
                stmts.push(stmt);
                continue;
            }
            let (old, op) = (stmt.results[0], stmt.op);
            let read = program.append(op.clone(), loc, &mut stmts);
            let part = match op {
                Op::Lookup(..) => program.append(Op::Field(read, number), loc, &mut stmts),
                Op::OptLookup(..) => {
                    let op = field_of_second(program, read, number, loc, &mut stmts);
                    program.append(op, loc, &mut stmts)
                }
                _ => list(program, read, number, loc, &mut stmts),
            };
            subst.insert(old, part);
        }
        program.put_stmts(body, stmts);
    }
}

/// Of `pair`, whose second field is a struct: the first field, and that struct's field of this number.
fn field_of_second(program: &mut Program, pair: Value, number: u32, loc: Loc, stmts: &mut Vec<Stmt>) -> Op {
    let first = program.append(Op::Field(pair, 0), loc, stmts);
    let second = program.append(Op::Field(pair, 1), loc, stmts);
    let part = program.append(Op::Field(second, number), loc, stmts);
    Op::Struct(vec![first, part], None)
}

/// The keys, each with the field of this number of its values, of the dictionary listed in `entries`.
fn list(program: &mut Program, entries: Value, number: u32, loc: Loc, stmts: &mut Vec<Stmt>) -> Value {
    let extent = program.append(Op::Len(entries), loc, stmts);
    program.append_collect(extent, loc, stmts, |program, index, stmts| {
        let entry = program.append(Op::At(entries, index), loc, stmts);
        field_of_second(program, entry, number, loc, stmts)
    })
}
