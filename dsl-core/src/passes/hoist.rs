//! Moves what does not change out of loops, functions and branches: invariant expressions and whole invariant
//! loops out of loops and reducing functions, constants out of everything.
//!
//! **Preconditions**: none.
//!
//! **Before / After**
//! ```text
//! program(v0: vec[f64], v1: f64) {
//!   v2: i64 = len v0
//!   v3: f64 = loop v4 < v2 {
//!     sink #0 = reduce + f64
//!     v5: f64 = const 2.0
//!     v6: f64 = exp v1
//!     v7: f64 = mul v6, v5
//!     v8: f64 = at v0, v4
//!     v9: f64 = mul v8, v7
//!     merge #0, v9
//!   }
//!   return v3
//! }
//! ```
//! ```text
//! program(v0: vec[f64], v1: f64) {
//!   v2: i64 = len v0
//!   v3: f64 = const 2.0
//!   v4: f64 = exp v1
//!   v5: f64 = mul v4, v3
//!   v6: f64 = loop v7 < v2 {
//!     sink #0 = reduce + f64
//!     v8: f64 = at v0, v7
//!     v9: f64 = mul v8, v5
//!     merge #0, v9
//!   }
//!   return v6
//! }
//! ```
//!
//! **Declines when** the statement can fault, call a foreign function or run without end, since the loop may
//! run zero times; when it merges; when it stands under a guard, unless it is a constant. Nothing but constants
//! leaves a region, which runs exactly once.
//!
//! **Order**: last in a round: what producers compute has been fused into the loop by then, or is out already.

use std::collections::HashSet;

use super::{Changed, Cx, Pass};
use crate::analysis::cost;
use crate::analysis::effects::Effects;
use crate::ir::{BodyId, Defs, Op, Program, Stmt, Value};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "hoist",
    summary: "move invariants out of loops, and constants out of everything",
    run: |program, cx| {
        let Some(entry) = program.entry else { return Changed::No };
        let defs = Defs::of(program);
        let mut hoist = Hoist { defs, changed: false, cx };
        hoist.body(program, entry);
        Changed::from(hoist.changed)
    },
};

/// What may leave a body.
#[derive(Clone, Copy, PartialEq)]
enum Leaves {
    /// Whatever is pure and reads nothing bound inside.
    Invariants,
    /// Constants only: the body runs at most once.
    Constants,
}

struct Hoist<'a> {
    defs: Defs,
    changed: bool,
    cx: &'a mut Cx,
}

impl Hoist<'_> {
    /// Hoists within `id`: what leaves its inner bodies is put in front of the statement that holds them.
    fn body(&mut self, program: &mut Program, id: BodyId) {
        let mut stmts = Vec::new();
        for index in 0..program.bodies[id].stmts.len() {
            let stmt = program.bodies[id].stmts[index].clone();
            for inner in stmt.op.bodies() {
                self.body(program, inner);
                let leaves = match &stmt.op {
                    Op::If { .. } => Leaves::Constants,
                    Op::Loop(looped) if looped.extents.is_empty() && looped.body == inner => {
                        Leaves::Constants
                    }
                    _ => Leaves::Invariants,
                };
                self.leave(program, inner, leaves, &mut stmts);
            }
            stmts.push(stmt);
        }
        program.put_stmts(id, stmts);
    }

    /// Moves what may leave `body` to the end of `out`.
    fn leave(&mut self, program: &mut Program, body: BodyId, leaves: Leaves, out: &mut Vec<Stmt>) {
        let mut bound: HashSet<Value> = program.bodies[body].params.iter().copied().collect();
        let mut kept = Vec::new();
        for stmt in program.take_stmts(body) {
            let fits = match leaves {
                Leaves::Constants => matches!(stmt.op, Op::Const(_)),
                Leaves::Invariants => {
                    let mut reads = false;
                    program.for_each_read_of(&stmt, &mut |value| reads |= bound.contains(&value));
                    !reads
                        && !stmt.results.is_empty()
                        && Effects::of_stmt(program, &self.defs, &stmt).is_pure()
                }
            };
            if fits && self.cx.allows() {
                self.changed = true;
                let cost = cost::of_stmt(program, &stmt);
                if cost > cost::MAX_RECOMPUTED {
                    self.cx
                        .decide("the value is moved out of its loop, and computed once".to_owned(), stmt.loc);
                }
                out.push(stmt);
            } else {
                bound.extend(stmt.results.iter().copied());
                kept.push(stmt);
            }
        }
        program.put_stmts(body, kept);
    }
}
