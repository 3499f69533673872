//! Drops what nobody needs: values, sinks with their merges, loops that are left without a purpose.
//!
//! **Preconditions**: none.
//!
//! **Before / After**
//! ```text
//! program(v0: vec[f64], v1: i64) {
//!   v2: i64 = len v0
//!   v3: i64 = div v1, v2
//!   v4: f64, v5: vec[f64] = loop v6 < v2 {
//!     sink #0 = reduce + f64
//!     sink #1 = collect f64
//!     v7: f64 = at v0, v6
//!     v8: f64 = mul v7, v7
//!     merge #0, v7
//!     merge #1, v8
//!   }
//!   return v4
//! }
//! ```
//! ```text
//! program(v0: vec[f64], v1: i64) {
//!   v2: i64 = len v0
//!   v3: f64 = loop v4 < v2 {
//!     sink #0 = reduce + f64
//!     v5: f64 = at v0, v4
//!     merge #0, v5
//!   }
//!   return v3
//! }
//! ```
//!
//! **Declines when** an `assert` or a `dbg` is in the way: it is never dead, nor is what holds it, nor what it reads. Any
//! other op that can fault, call or run without end is dropped when its value is not used: a fault that nobody needs is none.
//! The state of an `iterate` is kept or dropped as a whole.
//!
//! **Order**: after every pass that leaves things unused; all of them do, and leave the sweeping to this one.

use crate::ir::{BodyId, Defs, Entity, Loop, Op, Program, Stmt, Value, Zip};

use super::{Changed, Cx, Pass};
use crate::analysis::effects::Effects;

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "dead-code",
    summary: "drop values, sinks and loops that nobody needs",
    run: |program, cx| {
        let Some(entry) = program.entry else { return Changed::No };
        let mut sweep = Sweep {
            live: vec![false; program.values.len()],
            live_sinks: vec![false; program.sinks],
            defs: Defs::of(program),
            changed: false,
            cx,
        };
        sweep.body(program, entry);
        Changed::from(sweep.changed)
    },
};

struct Sweep<'a> {
    live: Vec<bool>,
    live_sinks: Vec<bool>,
    defs: Defs,
    changed: bool,
    cx: &'a mut Cx,
}

impl Sweep<'_> {
    fn is_live(&self, value: Value) -> bool {
        self.live[value.index()]
    }

    fn mark(&mut self, value: Value) {
        self.live[value.index()] = true;
    }

    /// Whether something that is dead may go: asks for fuel.
    fn may_drop(&mut self) -> bool {
        let allowed = self.cx.allows();
        self.changed |= allowed;
        allowed
    }

    /// Sweeps a body, from its results backwards.
    fn body(&mut self, program: &mut Program, id: BodyId) {
        for result in program.bodies[id].results.clone() {
            self.mark(result);
        }
        let mut kept = Vec::new();
        for mut stmt in program.take_stmts(id).into_iter().rev() {
            // Sinks go together with their merges, whatever the fuel.
            if let Op::Merge { sink, .. } = stmt.op
                && !self.live_sinks[sink.index()]
            {
                continue;
            }
            if self.keeps(program, &mut stmt) || !self.may_drop() {
                self.keep_operands(program, &stmt);
                kept.push(stmt);
            }
        }
        kept.reverse();
        program.put_stmts(id, kept);
    }

    /// Whether a statement stays. Bodies that may merge outside are swept to find out.
    fn keeps(&mut self, program: &mut Program, stmt: &mut Stmt) -> bool {
        let used = stmt.results.iter().any(|&result| self.is_live(result));
        match &mut stmt.op {
            // That an argument is what its type says counts whether or not it is read.
            Op::Merge { .. } | Op::Assert(_) | Op::Dbg(_) | Op::ZipLen(Zip::Arguments | Zip::Keys, _) => true,
            Op::If { then, els, .. } => {
                let (then, els) = (*then, *els);
                self.drop_dead_results(program, &mut stmt.results, [then, els]);
                self.body(program, then);
                self.body(program, els);
                used || !program.bodies[then].stmts.is_empty() || !program.bodies[els].stmts.is_empty()
            }
            Op::Loop(inner) => {
                self.drop_dead_sinks(program, &mut stmt.results, inner);
                self.body(program, inner.body);
                !inner.sinks.is_empty() || !program.bodies[inner.body].stmts.is_empty()
            }
            Op::For { extent, body } => {
                let (extent, body) = (*extent, *body);
                self.body(program, body);
                // What stays for its assertions or a `dbg` alone belongs to no loop around it.
                if Effects::of_body(program, &self.defs, body).merges.is_empty() {
                    stmt.op = Op::Loop(Loop { extents: vec![extent], body, sinks: Vec::new() });
                    self.changed = true;
                }
                !program.bodies[body].stmts.is_empty()
            }
            Op::Iterate { body, .. } => {
                let effects = Effects::of_body(program, &self.defs, *body);
                let merges = effects.merges.iter().any(|sink| self.live_sinks[sink.index()]);
                used || effects.is_never_dead() || merges
            }
            Op::Sort { comparator, .. } => {
                used || Effects::of_body(program, &self.defs, *comparator).is_never_dead()
            }
            _ => used,
        }
    }

    /// Marks what a statement that stays reads, and sweeps its bodies unless [`Sweep::keeps`] did.
    fn keep_operands(&mut self, program: &mut Program, stmt: &Stmt) {
        stmt.op.for_each_operand(|operand| self.mark(operand));
        match &stmt.op {
            Op::If { .. } | Op::For { .. } => {}
            Op::Loop(inner) => {
                for decl in &inner.sinks {
                    if let Some(&func) = decl.kind.function() {
                        self.body(program, func);
                    }
                }
            }
            op => op.for_each_body(|body| self.body(program, body)),
        }
    }

    fn drop_dead_results(&mut self, program: &mut Program, results: &mut Vec<Value>, branches: [BodyId; 2]) {
        let kept: Vec<bool> =
            results.iter().map(|&result| self.is_live(result) || !self.may_drop()).collect();
        retain(results, &kept);
        for branch in branches {
            retain(&mut program.bodies[branch].results, &kept);
        }
    }

    fn drop_dead_sinks(&mut self, program: &Program, results: &mut Vec<Value>, inner: &mut Loop) {
        let mut kept = Vec::new();
        for (&result, decl) in results.iter().zip(&inner.sinks) {
            let function = decl.kind.function();
            let stays =
                function.is_some_and(|&func| Effects::of_body(program, &self.defs, func).is_never_dead());
            let is_kept = self.is_live(result) || stays || !self.may_drop();
            self.live_sinks[decl.sink.index()] |= is_kept;
            kept.push(is_kept);
        }
        retain(results, &kept);
        retain(&mut inner.sinks, &kept);
    }
}

/// Keeps the items that `kept` says are kept.
fn retain<T>(items: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    items.retain(|_| kept.next().is_none_or(|&is_kept| is_kept));
}
