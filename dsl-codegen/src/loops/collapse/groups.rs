//! Which rows can be rows of groups.

use std::collections::BTreeSet;

use weldment_core::ir::{BinaryOp, BodyId, Defs, Op, Program, Sink, UnaryOp, Value};
use weldment_runtime::lang::types::Type;

use super::axis::{Axis, is_same};

/// Whether a loop over points does nothing with the last of its indices but to find elements, as the last of theirs, and of the one before only
/// asks what `partition` decides: whether what is a constant away from it is inside. Such elements lie one behind the other in
/// all of a row.
pub(super) fn are_groups(program: &Program, axes: &[Axis], collects: &BTreeSet<Sink>) -> bool {
    let &[ref outer @ .., a, b] = axes else { return false };
    let defs = Defs::of(program);
    let mut of = Groups {
        program,
        defs: &defs,
        inner: program.bodies_within(b.body),
        size: b.extent,
        within: b.index,
        fixed: outer.iter().map(|axis| axis.index).collect(),
        moving: [a.index].into(),
        tests: BTreeSet::new(),
    };
    let mut fits = true;
    program.for_each_stmt(b.body, &mut |stmt| fits &= of.fits(&stmt.op, &stmt.results));
    let results = |body: &BodyId| program.bodies[*body].results.iter();
    let merges = |body: &BodyId| {
        let stmts = program.bodies[*body].stmts.iter();
        stmts.filter_map(|stmt| if let Op::Merge { sink, .. } = &stmt.op { Some(*sink) } else { None })
    };
    let mut merged = BTreeSet::new();
    fits && of.inner.iter().flat_map(results).all(|value| of.is_apart(*value))
        // One element for each point.
        && merges(&b.body).all(|sink| collects.contains(&sink) && merged.insert(sink))
        && of.inner[1..].iter().flat_map(merges).next().is_none()
}

struct Groups<'p> {
    program: &'p Program,
    defs: &'p Defs,
    /// The body of the loop, and those inside of it.
    inner: Vec<BodyId>,
    /// How long groups are.
    size: Value,
    /// The index in a group.
    within: Value,
    /// What is the same in all of a row, of what the loop computes.
    fixed: BTreeSet<Value>,
    /// What is a number of a group.
    moving: BTreeSet<Value>,
    /// What is asked of such numbers.
    tests: BTreeSet<Value>,
}

impl Groups<'_> {
    /// Whether the number of no group is in `value`, nor that within one, nor what is asked of them.
    fn is_apart(&self, value: Value) -> bool {
        value != self.within && !self.moving.contains(&value) && !self.tests.contains(&value)
    }

    fn is_fixed(&self, value: Value) -> bool {
        let is_outside = self.defs.body_of(value).is_some_and(|body| !self.inner.contains(&body));
        is_outside || self.fixed.contains(&value)
    }

    fn fits(&mut self, op: &Op, results: &[Value]) -> bool {
        let Groups { program, defs, .. } = *self;
        let mut is_apart = true;
        op.for_each_operand(|operand| is_apart &= self.is_apart(operand));
        let is_plain = matches!(op, Op::If { .. }) || op.bodies().is_empty();
        if is_apart || !is_plain {
            let mut is_fixed = !matches!(op, Op::At(..) | Op::If { .. });
            op.for_each_operand(|operand| is_fixed &= self.is_fixed(operand));
            self.fixed.extend(results.iter().filter(|_| is_fixed));
            return is_plain;
        }
        let is_number = |value: Value| *program.ty(value) == Type::I64;
        let is_test = |value: &Value| self.tests.contains(value);
        let is_moving = |value: &Value| self.moving.contains(value);
        let reads_within = |op: &Op| {
            let mut reads = false;
            op.for_each_operand(|operand| reads |= operand == self.within);
            reads
        };
        match op {
            Op::Linearize(at, extents) => {
                let (&[ref outer @ .., group, within], &[.., size]) = (&at[..], &extents[..]) else {
                    return false;
                };
                within == self.within
                    && is_moving(&group)
                    && outer.iter().chain(extents).all(|value| self.is_apart(*value))
                    && is_same(program, defs, size, self.size)
            }
            op if reads_within(op) => false,
            Op::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Max | BinaryOp::Min, ..)
            | Op::CheckIndex(..)
            | Op::Position(..)
                if is_number(results[0]) =>
            {
                self.moving.extend(results);
                true
            }
            Op::Compare(_, x, _) if is_number(*x) => {
                self.tests.extend(results);
                true
            }
            Op::Binary(BinaryOp::And, x, y)
                if [x, y].into_iter().all(|x| is_test(x) || self.is_fixed(*x)) =>
            {
                self.tests.extend(results);
                true
            }
            Op::Unary(UnaryOp::Not, x) if is_test(x) => {
                self.tests.extend(results);
                true
            }
            Op::Select(cond, yes, no) if is_test(cond) => {
                let moves = is_moving(yes) || is_moving(no);
                self.moving.extend(results.iter().filter(|_| moves));
                !is_test(yes) && !is_test(no)
            }
            Op::If { cond, .. } => is_test(cond),
            _ => false,
        }
    }
}
