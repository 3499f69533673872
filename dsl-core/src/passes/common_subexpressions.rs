//! Computes once what is written twice: equal ops, and equal sinks of one loop.
//!
//! **Preconditions**: none.
//!
//! **Before / After**
//! ```text
//! program(v0: vec[f64]) {
//!   v1: i64 = len v0
//!   v2: f64, v3: f64 = loop v4 < v1 {
//!     sink #0 = reduce + f64
//!     sink #1 = reduce + f64
//!     v5: f64 = at v0, v4
//!     v6: f64 = at v0, v4
//!     v7: f64 = mul v5, v6
//!     v8: f64 = mul v6, v5
//!     merge #0, v7
//!     merge #1, v8
//!   }
//!   v9: f64 = add v2, v3
//!   return v9
//! }
//! ```
//! ```text
//! program(v0: vec[f64]) {
//!   v1: i64 = len v0
//!   v2: f64 = loop v3 < v1 {
//!     sink #0 = reduce + f64
//!     v4: f64 = at v0, v3
//!     v5: f64 = mul v4, v4
//!     merge #0, v5
//!   }
//!   v6: f64 = add v2, v2
//!   return v6
//! }
//! ```
//!
//! **Declines when** the first op does not stand before the second in a body around it. Ops that can fault and
//! foreign calls are shared too: where the first has given a value, the second gives the same one.
//! `assert`s are shared, which drops the second; a `dbg` is not, since both are seen. Ops that hold bodies are not compared as a whole: equal loops
//! meet in `fuse-horizontal`, and then their statements and sinks are compared here.
//!
//! **Order**: after `simplify`, which brings equal things to equal forms; before the fusions, which ask whether
//! loops share inputs and guards.

use std::collections::{HashMap, HashSet};

use weldment_runtime::lang::types::Type;

use super::{Changed, Cx, Pass};
use crate::ir::local::{Replacement, rewrite_to_fixpoint};
use crate::ir::rewrite::Subst;
use crate::ir::{BinaryOp, BodyId, CompareOp, Loop, Op, Program, Sink, Stmt, Value};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "common-subexpressions",
    summary: "compute once what is written twice",
    run: |program, cx| {
        let Some(entry) = program.entry else { return Changed::No };
        let mut share = Share { seen: HashMap::new(), subst: Subst::new(), cx };
        share.body(program, entry);
        let shared = !share.subst.is_empty();
        let shared_sinks = rewrite_to_fixpoint(program, |program, _, stmt| share_sinks(program, stmt, cx));
        Changed::from(shared || shared_sinks)
    },
};

struct Share<'a> {
    /// The values of ops in the bodies around.
    seen: HashMap<(Op, Type), Value>,
    subst: Subst,
    cx: &'a mut Cx,
}

impl Share<'_> {
    fn body(&mut self, program: &mut Program, id: BodyId) {
        let mut added = Vec::new();
        let mut kept = Vec::new();
        for mut stmt in program.take_stmts(id) {
            self.subst.apply(&mut stmt.op);
            stmt.op.for_each_body(|inner| self.body(program, inner));
            if let Some(key) = key(program, &stmt) {
                match self.seen.get(&key) {
                    Some(&value) if self.cx.allows() => {
                        self.subst.insert(stmt.results[0], value);
                        continue;
                    }
                    Some(_) => {}
                    None => {
                        self.seen.insert(key.clone(), stmt.results[0]);
                        added.push(key);
                    }
                }
            }
            kept.push(stmt);
        }
        for result in &mut program.bodies[id].results {
            *result = self.subst.get(*result);
        }
        program.put_stmts(id, kept);
        for key in added {
            self.seen.remove(&key);
        }
    }
}

/// What two statements have in common if they bind the same value: the op, its operands in one order where the
/// order does not matter, and the type.
fn key(program: &Program, stmt: &Stmt) -> Option<(Op, Type)> {
    let [result] = stmt.results[..] else { return None };
    let mut holds_bodies = false;
    stmt.op.for_each_body(|_| holds_bodies = true);
    if holds_bodies || matches!(stmt.op, Op::Loop(_) | Op::Dbg(_)) {
        return None;
    }
    let mut op = stmt.op.clone();
    match &mut op {
        Op::Binary(
            BinaryOp::Add
            | BinaryOp::Mul
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Min
            | BinaryOp::Max,
            x,
            y,
        )
        | Op::Compare(CompareOp::Eq | CompareOp::Ne, x, y) => (*x, *y) = ((*x).min(*y), (*x).max(*y)),
        _ => {}
    }
    Some((op, program.ty(result).clone()))
}

/// Two sinks of one loop of the same kind, with the same values merged at the same places, are one.
fn share_sinks(program: &mut Program, stmt: &Stmt, cx: &mut Cx) -> Option<Replacement> {
    let Op::Loop(inner) = &stmt.op else { return None };
    let first = first_equal_sinks(program, inner);
    let mut values = stmt.results.clone();
    let mut kept = inner.clone();
    let mut results = Vec::new();
    let mut dropped = HashSet::new();
    kept.sinks.clear();
    for (number, decl) in inner.sinks.iter().enumerate() {
        if first[number] != number && cx.allows() {
            values[number] = values[first[number]];
            dropped.insert(decl.sink);
        } else {
            results.push(stmt.results[number]);
            kept.sinks.push(decl.clone());
        }
    }
    if dropped.is_empty() {
        return None;
    }
    for body in program.bodies_within(inner.body) {
        program.bodies[body]
            .stmts
            .retain(|stmt| !matches!(&stmt.op, Op::Merge { sink, .. } if dropped.contains(sink)));
    }
    Some(Replacement { stmts: vec![Stmt { results, op: Op::Loop(kept), loc: stmt.loc }], values })
}

/// For each sink, the number of the first that is equal to it.
fn first_equal_sinks(program: &Program, inner: &Loop) -> Vec<usize> {
    if inner.sinks.len() < 2 {
        return (0..inner.sinks.len()).collect();
    }
    let mut merged: HashMap<Sink, Vec<(BodyId, &[Value])>> = HashMap::new();
    program.for_each_body(inner.body, &mut |body| {
        for stmt in &program.bodies[body].stmts {
            if let Op::Merge { sink, values } = &stmt.op {
                merged.entry(*sink).or_default().push((body, values));
            }
        }
    });
    let mut first = HashMap::new();
    let numbers = inner.sinks.iter().enumerate().map(|(number, decl)| {
        *first.entry((&decl.kind, merged.remove(&decl.sink).unwrap_or_default())).or_insert(number)
    });
    numbers.collect()
}
