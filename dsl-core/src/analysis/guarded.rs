//! Checks of indices that the conditions around them imply.
//!
//! `overwrite`, `get` and `fuse` ask whether a point is inside before they read, and the read is checked again. Such a check stays
//! where it is, for a statement may be moved away from its condition, and a proof may not go with it. But what computes an
//! element, condition and all, is then known to give one: it may be computed as often as another.
//!
//! Known are conditions on an index of a loop and a constant away from it, as the points of arrays of constant steps give them.
//! Indices of loops that make vectors stay below 2^48, so that sums with the constants that are looked at do not wrap.

use weldment_runtime::lang::scalar::{BinaryOp, CompareOp};

use super::effects::{self, Effects};
use crate::ir::local::Facts;
use crate::ir::{BodyId, Def, Defs, Op, Program, Stmt, Value};

/// Constants that are further from zero are not followed.
const FAR: i128 = 1 << 40;

/// Whether `stmts` are certain to give their values: what is not total among them are checks of indices, which conditions around
/// them, within `stmts`, imply.
pub(crate) fn are_total<'a>(
    program: &Program,
    defs: &Defs,
    stmts: impl IntoIterator<Item = &'a Stmt>,
) -> bool {
    let mut guarded = Guarded { facts: Facts { program, defs }, held: Vec::new() };
    stmts.into_iter().all(|stmt| guarded.is_total(stmt))
}

/// A number, or what it is so much more than.
#[derive(Clone, Copy, PartialEq)]
struct Sum {
    of: Option<Value>,
    more: i128,
}

/// What a condition says of the index of a loop.
#[derive(Clone, Copy)]
enum Held {
    /// `index >= least`
    From { index: Value, least: i128 },
    /// `index < end`
    Below { index: Value, end: Sum },
}

struct Guarded<'a> {
    facts: Facts<'a>,
    /// What is known by the conditions around.
    held: Vec<Held>,
}

impl Guarded<'_> {
    fn is_total(&mut self, stmt: &Stmt) -> bool {
        let Facts { program, defs } = self.facts;
        if Effects::of_stmt(program, defs, stmt).is_total() {
            return true;
        }
        match &stmt.op {
            Op::CheckIndex(index, length) => self.implies(*index, *length),
            Op::Call(..) | Op::Iterate { .. } => false,
            op if effects::can_fault(program, defs, op) => false,
            Op::If { cond, then, els } => {
                let known = self.held.len();
                self.hold(*cond);
                let is_total = self.is_body_total(*then);
                self.held.truncate(known);
                is_total && self.is_body_total(*els)
            }
            op => op.bodies().into_iter().all(|body| self.is_body_total(body)),
        }
    }

    fn is_body_total(&mut self, body: BodyId) -> bool {
        self.facts.program.bodies[body].stmts.iter().all(|stmt| self.is_total(stmt))
    }

    /// Adds what is known where `cond` is true.
    fn hold(&mut self, cond: Value) {
        match self.facts.op(cond) {
            Some(&Op::Binary(BinaryOp::And, x, y)) => {
                self.hold(x);
                self.hold(y);
            }
            Some(&Op::Compare(compare, x, y)) => match compare {
                CompareOp::Ge => self.hold_order(y, x, 0),
                CompareOp::Gt => self.hold_order(y, x, 1),
                CompareOp::Le => self.hold_order(x, y, 0),
                CompareOp::Lt => self.hold_order(x, y, 1),
                CompareOp::Eq | CompareOp::Ne => {}
            },
            _ => {}
        }
    }

    /// Adds that `less + apart <= more`.
    fn hold_order(&mut self, less: Value, more: Value, apart: i128) {
        let (less, more) = (self.sum(less), self.sum(more));
        match (self.index(less), self.index(more)) {
            (None, Some(index)) if less.of.is_none() => {
                self.held.push(Held::From { index, least: less.more + apart - more.more });
            }
            (Some(index), _) => {
                let end = Sum { of: more.of, more: more.more - less.more - apart + 1 };
                self.held.push(Held::Below { index, end });
            }
            _ => {}
        }
    }

    /// Whether `0 <= index < length`. Lengths are not negative: what has been found to be above an index, less a constant, and is
    /// not negative has not wrapped.
    fn implies(&self, index: Value, length: Value) -> bool {
        let (moved, length) = (self.sum(index), self.sum(length));
        let Some(of) = self.index(moved) else { return false };
        let is_not_negative = moved.more >= 0
            || self.held.iter().any(
                |held| matches!(*held, Held::From { index, least } if index == of && least + moved.more >= 0),
            );
        let is_below = self.held.iter().any(|held| {
            matches!(*held, Held::Below { index, end }
                if index == of && end.of == length.of && end.more + moved.more <= length.more)
        });
        is_not_negative && is_below
    }

    /// The index of a loop that a sum is of.
    fn index(&self, sum: Sum) -> Option<Value> {
        let Facts { program, defs } = self.facts;
        let index = sum.of?;
        let Some(Def::Param(body, _)) = defs.def(index) else { return None };
        let (holder, number) = defs.holder(body)?;
        let is_loop = match &program.bodies[holder].stmts[number].op {
            Op::For { .. } => true,
            Op::Loop(inner) => inner.body == body,
            _ => false,
        };
        is_loop.then_some(index)
    }

    fn sum(&self, value: Value) -> Sum {
        let mut sum = Sum { of: Some(value), more: 0 };
        while let Some(of) = sum.of {
            let near =
                |value: Value| self.facts.integer(value).filter(|number| (-FAR..=FAR).contains(number));
            let (next, more) = match self.facts.op(of) {
                Some(&(Op::CheckIndex(index, _) | Op::AssumeIndex(index, _))) => (Some(index), 0),
                Some(&Op::Binary(BinaryOp::Add, x, y)) => match (near(x), near(y)) {
                    (_, Some(by)) => (Some(x), by),
                    (Some(by), _) => (Some(y), by),
                    _ => break,
                },
                Some(&Op::Binary(BinaryOp::Sub, x, y)) => match near(y) {
                    Some(by) => (Some(x), -by),
                    None => break,
                },
                _ => match near(of) {
                    Some(number) => (None, number),
                    None => break,
                },
            };
            sum = Sum { of: next, more: sum.more + more };
        }
        sum
    }
}
