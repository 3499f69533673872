//! What can happen besides a value: faults, foreign calls, what `dbg` shows, running without end, merges.
//!
//! An op that can do one of the first four is not *total*. It is never moved out from under its guard, out of
//! a loop that may run zero times, or into a `select`, for it might then happen where it did not before; and
//! it is not copied to where it would happen more often. `at` is total: its bounds hold wherever its operands
//! are bound (see [`bounds`](super::bounds)). What shows a value is in addition never dead, and done as often as it is written: to share
//! it, or to do it once more, would be seen. Faults of the machinery, MemoryLimit and Cancelled, do not count.

use std::collections::BTreeSet;

use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::types::Scalar;

use crate::ir::{BodyId, Defs, Loop, Op, Program, Sink, Stmt, Value, Zip};

/// What an op or a body can do, the bodies inside included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Can end the program with a fault.
    pub can_fault: bool,
    /// Can do so in another way than by an index that is outside of a vector.
    pub can_fault_otherwise: bool,
    /// Calls a foreign function, which is pure but opaque; or shows a value.
    pub calls: bool,
    /// Shows a value, by `dbg`.
    pub shows: bool,
    /// Can run without end.
    pub may_not_end: bool,
    /// Holds an `assert`.
    pub asserts: bool,
    /// Merges into these sinks, which are declared outside.
    pub merges: BTreeSet<Sink>,
}

impl Effects {
    /// The effects of one statement.
    pub fn of_stmt(program: &Program, defs: &Defs, stmt: &Stmt) -> Effects {
        let mut effects = Effects::default();
        effects.add_op(program, defs, &stmt.op);
        effects
    }

    /// The effects of these statements.
    pub fn of_stmts<'a>(
        program: &Program,
        defs: &Defs,
        stmts: impl IntoIterator<Item = &'a Stmt>,
    ) -> Effects {
        let mut effects = Effects::default();
        for stmt in stmts {
            effects.add_op(program, defs, &stmt.op);
        }
        effects
    }

    /// The effects of a body.
    pub fn of_body(program: &Program, defs: &Defs, body: BodyId) -> Effects {
        Effects::of_stmts(program, defs, &program.bodies[body].stmts)
    }

    /// Whether a value is certain to come out: no fault, no call, an end.
    pub fn is_total(&self) -> bool {
        !self.can_fault && !self.calls && !self.may_not_end
    }

    /// Whether this is total and merges nowhere outside, so that it may happen more or less often.
    pub fn is_pure(&self) -> bool {
        self.is_total() && self.merges.is_empty()
    }

    /// Whether this happens though nobody needs its value.
    pub fn is_never_dead(&self) -> bool {
        self.asserts || self.shows
    }

    /// Whether a value that nobody needs need not be computed, though an index may be outside.
    pub fn is_total_but_for_indices(&self) -> bool {
        !self.can_fault_otherwise && !self.calls && !self.may_not_end
    }

    fn add_op(&mut self, program: &Program, defs: &Defs, op: &Op) {
        let can_fault = can_fault(program, defs, op);
        self.can_fault |= can_fault;
        self.can_fault_otherwise |= can_fault && !matches!(op, Op::CheckIndex(..));
        match op {
            Op::Assert(_) | Op::ZipLen(Zip::Arguments | Zip::Keys, _) => self.asserts = true,
            Op::Call(..) => self.calls = true,
            Op::Dbg(_) => (self.calls, self.shows) = (true, true),
            Op::Iterate { .. } => self.may_not_end = true,
            Op::Merge { sink, .. } => {
                self.merges.insert(*sink);
            }
            _ => {}
        }
        for body in op.bodies() {
            for stmt in &program.bodies[body].stmts {
                self.add_op(program, defs, &stmt.op);
            }
        }
        if let Op::Loop(Loop { sinks, .. }) = op {
            for decl in sinks {
                self.merges.remove(&decl.sink);
            }
        }
    }
}

/// Whether `op` itself, apart from the bodies it holds, can fault.
pub fn can_fault(program: &Program, defs: &Defs, op: &Op) -> bool {
    match op {
        Op::Binary(binary, _, divisor) => match program.ty(*divisor).as_scalar() {
            Some(scalar) => binary.can_fault(scalar) && !divides_safely(program, defs, scalar, *divisor),
            None => false,
        },
        Op::Loop(Loop { sinks, .. }) => sinks.iter().any(|decl| decl.kind.can_fault()),
        _ => op.can_fault(),
    }
}

/// Whether the divisor is a constant by which every integer divides.
fn divides_safely(program: &Program, defs: &Defs, ty: Scalar, divisor: Value) -> bool {
    let Some(Op::Const(constant)) = defs.op(program, divisor) else { return false };
    let minus_one = if ty.is_signed() { Some(Const::from_i128(ty, -1)) } else { None };
    constant.as_integer().is_some_and(|number| number != 0) && Some(*constant) != minus_one
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::*;

    #[test]
    fn only_what_may_fault_may_fault() {
        let faults = |text: &str| {
            let program = parse(text).unwrap();
            let stmts = &program.bodies[program.entry.unwrap()].stmts;
            can_fault(&program, &Defs::of(&program), &stmts.last().unwrap().op)
        };
        assert!(faults("weldment ir 1 program(v0: i64) { v1: i64 = div v0, v0 return v1 }"));
        assert!(!faults("weldment ir 1 program(v0: f64) { v1: f64 = div v0, v0 return v1 }"));
        assert!(!faults(
            "weldment ir 1 program(v0: i64) { v1: i64 = const 2 v2: i64 = div v0, v1 return v2 }"
        ));
    }
}
