//! Writes out inner loops of a few iterations, such as those over a list of known elements.
//!
//! **Preconditions**: none.
//!
//! **Before / After**
//! ```text
//! program(v0: vec[i64]) {
//!   v1: i64 = len v0
//!   v2: i64 = const 10
//!   v3: i64 = const 2
//!   v4: vec[i64] = loop v5 < v1 {
//!     sink #0 = collect i64
//!     v6: i64 = at v0, v5
//!     v7: i64 = add v6, v2
//!     v8: vec[i64] = vector [v6, v7]
//!     for v9 < v3 {
//!       v10: i64 = at v8, v9
//!       merge #0, v10
//!     }
//!   }
//!   return v4
//! }
//! ```
//! ```text
//! program(v0: vec[i64]) {
//!   v1: i64 = len v0
//!   v2: i64 = const 10
//!   v3: vec[i64] = loop v4 < v1 {
//!     sink #0 = collect i64
//!     v5: i64 = at v0, v4
//!     v6: i64 = add v5, v2
//!     v7: vec[i64] = vector [v5, v6]
//!     v8: i64 = const 0
//!     v9: i64 = at v7, v8
//!     merge #0, v9
//!     v10: i64 = const 1
//!     v11: i64 = at v7, v10
//!     merge #0, v11
//!   }
//!   return v3
//! }
//! ```
//!
//! **Declines when** the number of iterations is not a small constant, or the iterations together are costly; for
//! loops that stand in no other loop, and for those that reduce anything but scalars by an operator, one in each iteration; where the
//! order of floats is fixed, and it would change; and for a reduction of what a longer loop makes, which is to be fused first.
//! Of no more iterations than there are lanes each has a lane of its own, so that the fold in order has the same bits.
//!
//! **Order**: after `fold-constants`, which finds the number of iterations; before `fuse-vertical`, which then
//! sees the merges one by one. `simplify` takes the elements out of the list, and computes what is reduced.

use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::types::Type;

use super::candidate::Reason;
use super::{Changed, Pass};
use crate::analysis::{cost, rounding};
use crate::ir::local::{Facts, Replacement, rewrite_stmts};
use crate::ir::rewrite::Copier;
use crate::ir::{BodyId, Defs, Loop, Op, Program, Reducer, SinkDecl, SinkKind, Stmt, Value};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "unroll",
    summary: "write out inner loops of a few iterations",
    run: |program, cx| {
        let changed = rewrite_stmts(program, |program, defs, stmt| {
            let short = ShortLoop::extract(program, defs, stmt)?;
            let cost = cost::of_body(program, short.body).saturating_mul(short.times.unsigned_abs());
            if cost > cost::MAX_UNROLLED_COST {
                cx.refuse("unroll", COSTLY.costs(cost, cost::MAX_UNROLLED_COST), stmt.loc, None);
                return None;
            }
            if !cx.allows() {
                return None;
            }
            cx.decide(format!("the loop is written out, {} times", short.times), stmt.loc);
            Some(short.write_out(program, stmt))
        });
        Changed::from(changed)
    },
};

const COSTLY: Reason = Reason::new(
    "the iterations of {at|the loop} cost {cost} together, and {limit} is the limit for writing them out",
);

/// A `for`, or a loop that only collects, of a few iterations.
struct ShortLoop {
    body: BodyId,
    times: i64,
}

impl ShortLoop {
    fn extract(program: &Program, defs: &Defs, stmt: &Stmt) -> Option<ShortLoop> {
        let (extent, body, most): (Value, BodyId, i64) = match &stmt.op {
            Op::For { extent, body } => (*extent, *body, cost::MAX_UNROLLED),
            Op::Loop(Loop { extents, body, sinks }) => {
                let most = sinks.iter().map(|decl| most_written_out(program, *body, decl)).min()?;
                match extents[..] {
                    [extent] if most > 0 && is_inner(program, defs, stmt) => (extent, *body, most),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let times = i64::try_from(Facts { program, defs }.integer(extent)?).ok()?;
        let is_short = (1..=most).contains(&times) && rounding::may_write_out(program, defs, stmt);
        let waits = times > cost::MAX_UNROLLED && reads_collected(program, defs, body);
        (is_short && !waits).then_some(ShortLoop { body, times })
    }

    fn write_out(&self, program: &mut Program, stmt: &Stmt) -> Replacement {
        let index = program.bodies[self.body].params[0];
        let written = program.bodies[self.body].stmts.clone();
        let mut stmts = Vec::new();
        for time in 0..self.times {
            let number = program.stmt(Op::Const(Const::I64(time)), stmt.loc);
            let mut copier = Copier::new();
            copier.subst.insert(index, number.results[0]);
            stmts.push(number);
            stmts.extend(copier.stmts(program, &written));
        }
        match &stmt.op {
            Op::Loop(Loop { sinks, .. }) => {
                let body = program.add_body(Vec::new(), stmts, Vec::new());
                let region = Loop { extents: Vec::new(), body, sinks: sinks.clone() };
                Replacement::op(stmt, Op::Loop(region))
            }
            _ => Replacement { stmts, values: Vec::new() },
        }
    }
}

/// Whether `body` reads at its index what a loop collects: written out, it could not take that loop in any more.
fn reads_collected(program: &Program, defs: &Defs, body: BodyId) -> bool {
    let index = program.bodies[body].params[0];
    let collects = |value: Value| match defs.op(program, value) {
        Some(Op::Loop(Loop { sinks, .. })) => {
            sinks.iter().any(|decl| matches!(decl.kind, SinkKind::Collect { .. }))
        }
        _ => false,
    };
    let reads = |stmt: &Stmt| matches!(stmt.op, Op::At(vector, at) if at == index && collects(vector));
    program.bodies[body].stmts.iter().any(reads)
}

/// Of how many iterations a loop with this sink may be, and `body`, to be written out; 0 if it may not.
fn most_written_out(program: &Program, body: BodyId, decl: &SinkDecl) -> i64 {
    match &decl.kind {
        SinkKind::Collect { .. } => cost::MAX_UNROLLED,
        SinkKind::Reduce { ty: Type::Scalar(ty), reducer: Reducer::Op(_), .. } => {
            let merges = |stmt: &Stmt| stmt.op.merges_into(decl.sink);
            let mut all = 0;
            program.for_each_stmt(body, &mut |stmt| all += usize::from(merges(stmt)));
            let is_straight = all == 1 && program.bodies[body].stmts.iter().any(merges);
            if is_straight { cost::MAX_UNROLLED_FOLD.min(ReduceOp::lanes(*ty) as i64) } else { 0 }
        }
        _ => 0,
    }
}

/// Whether a loop stands inside another one.
fn is_inner(program: &Program, defs: &Defs, stmt: &Stmt) -> bool {
    let mut body = stmt.results.first().and_then(|&result| defs.body_of(result));
    while let Some((holder, index)) = body.and_then(|body| defs.holder(body)) {
        match &program.bodies[holder].stmts[index].op {
            Op::For { .. } => return true,
            Op::Loop(inner) if !inner.extents.is_empty() => return true,
            _ => body = Some(holder),
        }
    }
    false
}
