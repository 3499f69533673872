//! Writes a loop twice, so that what is the same in all of its iterations is asked before it: once for the case that conditions hold which then
//! decide an `or` in the loop, and once for the others. A column without missing values is read in a loop that asks for none.
//!
//! This is loop unswitching (Cooper and Torczon, "Engineering a Compiler"; Muchnick, "Advanced Compiler Design and Implementation").
//!
//! **Preconditions**: none.
//!
//! **Before / After**
//! ```text
//! program(v0: vec[i64], v1: bool) {
//!   v2: i64 = len v0
//!   v3: i64 = const 9
//!   v4: vec[i64] = loop v5 < v2 {
//!     sink #0 = collect i64
//!     v6: i64 = at v0, v5
//!     v7: bool = lt v6, v3
//!     v8: bool = or v1, v7
//!     if v8 {
//!       merge #0, v6
//!     }
//!   }
//!   return v4
//! }
//! ```
//! ```text
//! program(v0: vec[i64], v1: bool) {
//!   v2: i64 = len v0
//!   v3: i64 = const 9
//!   v4: vec[i64] = if v1 {
//!     v5: bool = const true
//!     v6: vec[i64] = loop v7 < v2 {
//!       sink #0 = collect i64
//!       v8: i64 = at v0, v7
//!       v9: bool = lt v8, v3
//!       v10: bool = or v5, v9
//!       if v10 {
//!         merge #0, v8
//!       }
//!     }
//!     yield v6
//!   } else {
//!     v11: bool = const false
//!     v12: vec[i64] = loop v13 < v2 {
//!       sink #1 = collect i64
//!       v14: i64 = at v0, v13
//!       v15: bool = lt v14, v3
//!       v16: bool = or v11, v15
//!       if v16 {
//!         merge #1, v14
//!       }
//!     }
//!     yield v12
//!   }
//!   return v4
//! }
//! ```
//!
//! **Declines when** the loop is in another loop, or in a function; when it is large, for it is written twice; when it makes a dictionary, beside
//! which asking costs nothing; when it is part of a scan, or makes rows for another loop, which are run with those that read them.
//!
//! **Order**: after the fixpoint, when nothing is fused any more: two copies of a loop would hide from each other what they
//! could share. The report counts the loop once.

use std::collections::HashSet;

use weldment_runtime::lang::scalar::{BinaryOp, Const};
use weldment_runtime::lang::types::Type;

use super::{Changed, Cx, Pass};
use crate::analysis::scans::{self, Scan};
use crate::analysis::windows::{self, Window};
use crate::ir::rewrite::Copier;
use crate::ir::{BodyId, Loop, Op, Program, Stmt, Value};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "unswitch",
    summary: "ask before a loop what is the same in all of its iterations",
    run: |program, cx| {
        let Some(entry) = program.entry else { return Changed::No };
        let (scans, windows) = (scans::of(program), windows::of(program));
        let mut chosen = Vec::new();
        program.for_each_stmt(entry, &mut |stmt| {
            if let Op::Select(cond, x, y) = stmt.op {
                chosen.push(Chosen { value: stmt.results[0], cond, sides: [x, y] });
            }
        });
        let mut unswitch = Unswitch { cx, scans, windows, chosen, changed: false };
        unswitch.body(program, entry);
        Changed::from(unswitch.changed)
    },
};

/// The most statements of a loop that is written twice.
const MOST: usize = 96;

struct Unswitch<'a> {
    cx: &'a mut Cx,
    /// Whose loops stay where they are.
    scans: Vec<Scan>,
    windows: Vec<Window>,
    /// What conditions choose.
    chosen: Vec<Chosen>,
    changed: bool,
}

/// What a `select` gives: the first side where the condition holds, else the other.
struct Chosen {
    value: Value,
    cond: Value,
    sides: [Value; 2],
}

impl Unswitch<'_> {
    /// The loops in `body`, and in its branches and steps.
    fn body(&mut self, program: &mut Program, body: BodyId) {
        let mut stmts = Vec::new();
        for stmt in program.take_stmts(body) {
            if let Op::If { .. } | Op::Iterate { .. } = stmt.op {
                stmt.op.for_each_body(|inner| self.body(program, inner));
            }
            let conditions = self.conditions(program, &stmt);
            if conditions.is_empty() || !self.cx.allows() {
                stmts.push(stmt);
                continue;
            }
            self.cx.decide("asks before the loop what is the same in it".to_owned(), stmt.loc);
            self.apply(program, &conditions, stmt, &mut stmts);
            self.changed = true;
        }
        program.put_stmts(body, stmts);
    }

    /// Whether the loop that makes these is part of a scan, or of two loops that run row by row.
    fn stays(&self, results: &[Value]) -> bool {
        let is = |part: &[Value]| results.iter().any(|result| part.contains(result));
        self.scans.iter().any(|scan| scan.takes(results) || is(&scan.made) || is(&scan.next))
            || self.windows.iter().any(|window| is(&window.made) || is(&window.reader))
    }

    /// What is bound before the loop that `stmt` is, and decides an `or` in it, if the loop may be written twice.
    fn conditions(&self, program: &Program, stmt: &Stmt) -> Vec<Value> {
        let Op::Loop(Loop { extents, body, .. }) = &stmt.op else { return Vec::new() };
        let is_dict = |result: &Value| matches!(program.ty(*result), Type::Dict(..));
        if extents.is_empty() || stmt.results.iter().any(is_dict) || self.stays(&stmt.results) {
            return Vec::new();
        }
        let (mut count, mut bound, mut asked) = (0, HashSet::<Value>::new(), Vec::new());
        bound.extend(&program.bodies[*body].params);
        program.for_each_stmt(*body, &mut |stmt| {
            count += 1;
            bound.extend(&stmt.results);
            stmt.op.for_each_body(|inner| bound.extend(&program.bodies[inner].params));
            match stmt.op {
                Op::Binary(BinaryOp::Or, a, b) if *program.ty(a) == Type::BOOL => asked.extend([a, b]),
                _ => {}
            }
        });
        let mut conditions = Vec::new();
        for value in asked {
            if !bound.contains(&value) && !conditions.contains(&value) {
                conditions.push(value);
            }
        }
        if count > MOST { Vec::new() } else { conditions }
    }

    /// Appends a branch in place of the loop `stmt`, by whether all of the `conditions` hold.
    fn apply(&self, program: &mut Program, conditions: &[Value], stmt: Stmt, out: &mut Vec<Stmt>) {
        let loc = stmt.loc;
        let then = self.version(program, conditions, true, &stmt);
        // Which of several it is that does not hold is not known.
        let not = if let [_] = conditions { conditions } else { &[] };
        let els = self.version(program, not, false, &stmt);
        let (&first, others) = conditions.split_first().expect("there is a condition");
        let both =
            |cond: Value, &other: &Value| program.append(Op::Binary(BinaryOp::And, cond, other), loc, out);
        let cond = others.iter().fold(first, both);
        out.push(Stmt { results: stmt.results, op: Op::If { cond, then, els }, loc });
    }

    /// A branch with a copy of the loop `stmt`, to which the `known` conditions are a constant.
    fn version(&self, program: &mut Program, known: &[Value], is: bool, stmt: &Stmt) -> BodyId {
        let (mut stmts, mut copier) = (Vec::new(), Copier::new());
        if !known.is_empty() {
            let constant = program.append(Op::Const(Const::Bool(is)), stmt.loc, &mut stmts);
            known.iter().for_each(|&condition| copier.subst.insert(condition, constant));
        }
        for Chosen { value, cond, sides } in &self.chosen {
            if known.contains(cond) {
                copier.subst.insert(*value, sides[usize::from(!is)]);
            }
        }
        let copy = copier.stmt(program, stmt);
        let results = copy.results.clone();
        stmts.push(copy);
        program.add_body(Vec::new(), stmts, results)
    }
}
