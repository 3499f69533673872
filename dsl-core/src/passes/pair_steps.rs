//! Does two steps of an `iterate` at a time, where they become one loop.
//!
//! A sweep over an array that does not fit the caches takes as long as moving the array through memory. Where the second of two sweeps
//! computes what it reads of the first, both move it once: temporal blocking with redundant computation (Ragan-Kelley et al.,
//! "Halide", 2013, weigh it against storing). Each element is computed by the same operations as before, so its bits stay.
//!
//! **Preconditions**: nothing else changes in the program any more, so that a step is as small as it gets.
//!
//! **Before / After**
//! ```text
//! program(v0: vec[f64], v1: i64) {
//!   v2: i64 = const 0
//!   v3: i64 = const 1
//!   v5: vec[f64], v6: i64 = iterate (v7: vec[f64] = v0, v8: i64 = v2) {
//!     v9: i64 = len v7
//!     v10: vec[f64] = loop v11 < v9 {
//!       sink #0 = collect f64
//!       v12: f64 = at v7, v11
//!       v13: f64 = mul v12, v12
//!       merge #0, v13
//!     }
//!     v14: i64 = add v8, v3
//!     v15: bool = lt v14, v1
//!     yield v10, v14, v15
//!   }
//!   return v5
//! }
//! ```
//! ```text
//! program(v0: vec[f64], v1: i64) {
//!   v2: i64 = const 0
//!   v3: i64 = const 1
//!   v4: vec[f64], v5: i64 = iterate (v6: vec[f64] = v0, v7: i64 = v2) {
//!     v8: i64 = len v6
//!     v9: i64 = add v7, v3
//!     v10: bool = lt v9, v1
//!     v11: i64 = const 2097152
//!     v12: bool = ge v8, v11
//!     v13: bool = and v12, v10
//!     v14: vec[f64], v15: i64, v16: bool = if v13 {
//!       v17: i64 = len v6
//!       v18: vec[f64] = loop v19 < v17 {
//!         sink #0 = collect f64
//!         v20: f64 = at v6, v19
//!         v21: f64 = mul v20, v20
//!         merge #0, v21
//!       }
//!       v22: i64 = add v7, v3
//!       v23: i64 = len v18
//!       v24: vec[f64] = loop v25 < v23 {
//!         sink #1 = collect f64
//!         v26: f64 = at v18, v25
//!         v27: f64 = mul v26, v26
//!         merge #1, v27
//!       }
//!       v28: i64 = add v22, v3
//!       v29: bool = lt v28, v1
//!       yield v24, v28, v29
//!     } else {
//!       v30: i64 = len v6
//!       v31: vec[f64] = loop v32 < v30 {
//!         sink #2 = collect f64
//!         v33: f64 = at v6, v32
//!         v34: f64 = mul v33, v33
//!         merge #2, v34
//!       }
//!       v35: i64 = add v7, v3
//!       v36: bool = lt v35, v1
//!       yield v31, v35, v36
//!     }
//!     yield v14, v15, v16
//!   }
//!   return v4
//! }
//! ```
//! `fuse-vertical` then makes one loop of the two.
//!
//! Where both states may lie in a cache, computing again takes longer than storing: then, and at the end of an odd number, one step is done.
//!
//! **Declines when** a step is not one loop that collects, or whether there is another one is not known before the loop; when two steps
//! would not become one loop, as where elements of the first would be computed again too often.
//!
//! **Order**: it waits until nothing else changes: what a step costs, and what can be computed where it is read, is known then.

use std::collections::HashSet;

use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const};

use super::candidate::Reason;
use super::{Changed, Cx, Pass, common_subexpressions, dead_code, fuse_vertical, simplify};
use crate::analysis::cost;
use crate::analysis::effects::Effects;
use crate::ir::rewrite::Copier;
use crate::ir::{BodyId, Defs, Loc, Loop, Op, Program, SinkKind, Stmt, Value};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "pair-steps",
    summary: "do two steps of an iterate at a time, where they become one loop",
    run: |program, cx| {
        let Some(entry) = program.entry else { return Changed::No };
        let mut changed = false;
        for steps in Steps::in_body(program, entry) {
            if !cx.is_settled(steps.body) {
                continue;
            }
            let mut paired = program.clone();
            let pair = steps.pair(&mut paired, cx.least_paired);
            if !becomes_one_loop(paired.clone(), pair) {
                cx.refuse("pair", TWO_LOOPS, steps.loc, None);
            } else if cx.allows() {
                *program = paired;
                cx.decide("two steps are done at a time".to_owned(), steps.loc);
                changed = true;
            }
        }
        Changed::from(changed)
    },
};

const TWO_LOOPS: Reason = Reason::new(
    "two steps at a time would not be one loop: what the second reads of the first has to be there as a whole",
);

/// What makes one loop of two steps, if there is something that does.
const FUSING: [Pass; 4] = [simplify::PASS, common_subexpressions::PASS, dead_code::PASS, fuse_vertical::PASS];

/// How often these are run to see whether they do.
const ROUNDS: usize = 3;

/// An `iterate` each step of which is a loop.
struct Steps {
    body: BodyId,
    loc: Loc,
    /// How many points a step computes.
    extents: Vec<Value>,
    /// What it stores for each, in bytes.
    bytes: u64,
    /// The numbers of the statements that say how many, and whether there is another step, in order.
    asks: Vec<usize>,
}

impl Steps {
    /// Those in `body`, but for those that are in loops.
    fn in_body(program: &Program, body: BodyId) -> Vec<Steps> {
        let (defs, mut found) = (Defs::of(program), Vec::new());
        let mut next = vec![body];
        while let Some(body) = next.pop() {
            for stmt in &program.bodies[body].stmts {
                match &stmt.op {
                    Op::Loop(Loop { extents, .. }) if !extents.is_empty() => {}
                    Op::For { .. } => {}
                    op => {
                        if let Op::Iterate { body, .. } = op {
                            found.extend(Steps::of(program, &defs, *body, stmt.loc));
                        }
                        next.extend(op.bodies());
                    }
                }
            }
        }
        found
    }

    fn of(program: &Program, defs: &Defs, body: BodyId, loc: Loc) -> Option<Steps> {
        let stmts = &program.bodies[body].stmts;
        let mut nested = stmts.iter().filter(|stmt| !stmt.op.bodies().is_empty());
        let (Some(Op::Loop(Loop { extents, sinks, .. })), None) =
            (nested.next().map(|stmt| &stmt.op), nested.next())
        else {
            return None;
        };
        let stored = sinks.iter().map(|decl| match &decl.kind {
            SinkKind::Collect { ty, .. } => Some(cost::bytes(ty)),
            _ => None,
        });
        let bytes = stored.sum::<Option<u64>>()?;
        let go_on = *program.bodies[body].results.last()?;
        let asks = needed(stmts, extents.iter().copied().chain([go_on]));
        let is_known = asks.iter().all(|&number| !matches!(stmts[number].op, Op::Loop(_)))
            && Effects::of_stmts(program, defs, asks.iter().map(|&number| &stmts[number])).is_total();
        let steps = Steps { body, loc, extents: extents.clone(), bytes, asks };
        (is_known && !steps.extents.is_empty()).then_some(steps)
    }

    /// Makes pairs of the steps where a state has so many bytes at least, and gives the body that does two.
    fn pair(&self, program: &mut Program, least: u64) -> BodyId {
        let results = program.bodies[self.body].results.clone();
        let stmts = program.take_stmts(self.body);

        let asks: Vec<Stmt> = self.asks.iter().map(|&number| stmts[number].clone()).collect();
        let mut before = Copier::new();
        let mut paired = before.stmts(program, &asks);
        let go_on = before.subst.get(*results.last().expect("an iterate says whether to go on"));
        let extents: Vec<Value> = self.extents.iter().map(|&extent| before.subst.get(extent)).collect();
        let again = self.is_large(program, go_on, &extents, least, &mut paired);

        let mut steps = Vec::new();
        let first = self.step(program, &stmts, &results, None, &mut steps);
        let second = self.step(program, &stmts, &results, Some(&first), &mut steps);
        let two = program.add_body(Vec::new(), steps, second);
        let one = program.add_body(Vec::new(), stmts, results);

        let either = program.stmt(Op::If { cond: again, then: two, els: one }, self.loc);
        program.bodies[self.body].results.clone_from(&either.results);
        paired.push(either);
        program.put_stmts(self.body, paired);
        two
    }

    /// Appends what says that another step comes, and that states are large.
    fn is_large(
        &self,
        program: &mut Program,
        go_on: Value,
        extents: &[Value],
        least: u64,
        out: &mut Vec<Stmt>,
    ) -> Value {
        let mut points = extents[0];
        for &extent in &extents[1..] {
            points = program.append(Op::Binary(BinaryOp::Mul, points, extent), self.loc, out);
        }
        let least = Op::Const(Const::I64((least / self.bytes.max(1)) as i64));
        let least = program.append(least, self.loc, out);
        let is_large = program.append(Op::Compare(CompareOp::Ge, points, least), self.loc, out);
        program.append(Op::Binary(BinaryOp::And, is_large, go_on), self.loc, out)
    }

    /// Appends a copy of a step, behind the step that gave `state`, and says what it gives.
    fn step(
        &self,
        program: &mut Program,
        stmts: &[Stmt],
        results: &[Value],
        state: Option<&[Value]>,
        out: &mut Vec<Stmt>,
    ) -> Vec<Value> {
        let mut copier = Copier::new();
        if let Some((_, state)) = state.and_then(|results| results.split_last()) {
            copier.subst.insert_all(&program.bodies[self.body].params, state);
        }
        out.extend(copier.stmts(program, stmts));
        results.iter().map(|&result| copier.subst.get(result)).collect()
    }
}

/// The numbers of the statements that `values` need, in order.
fn needed(stmts: &[Stmt], values: impl IntoIterator<Item = Value>) -> Vec<usize> {
    let (mut needed, mut numbers): (HashSet<Value>, _) = (values.into_iter().collect(), Vec::new());
    for (number, stmt) in stmts.iter().enumerate().rev() {
        if stmt.results.iter().any(|result| needed.contains(result)) {
            numbers.push(number);
            stmt.op.for_each_operand(|operand| {
                needed.insert(operand);
            });
        }
    }
    numbers.reverse();
    numbers
}

/// Whether fusion leaves one loop in `body`.
fn becomes_one_loop(mut program: Program, body: BodyId) -> bool {
    let mut cx = Cx::default();
    for _ in 0..ROUNDS {
        for pass in &FUSING {
            (pass.run)(&mut program, &mut cx);
        }
        let mut loops = 0;
        program.for_each_stmt(body, &mut |stmt| {
            loops += usize::from(matches!(stmt.op, Op::Loop(_) | Op::For { .. }))
        });
        if loops == 1 {
            return true;
        }
    }
    false
}
