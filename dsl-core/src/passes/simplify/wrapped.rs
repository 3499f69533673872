//! The rule on indices that go around: `(i + 1) % n` and `(i + n - 1) % n`, where i is an index below n.

use crate::analysis::bounds;
use crate::ir::local::{Facts, Replacement};
use crate::ir::{BinaryOp, CompareOp, Defs, Op, Program, Stmt, Value};

/// How many sums and differences in each other are looked at.
const MAX_DEPTH: usize = 3;

/// A remainder of what is below twice the divisor is the number itself, or that less the divisor. No loop comes so far that the sum would
/// wrap.
pub(super) fn wrapped(program: &mut Program, defs: &Defs, stmt: &Stmt) -> Option<Replacement> {
    let Op::Binary(BinaryOp::Rem, x, n) = stmt.op else { return None };
    let sum = Sum::of(&Facts { program, defs }, x, n, MAX_DEPTH)?;
    let index = sum.index?;
    let fits = matches!((sum.turns, sum.plus), (0 | 1, 0) | (0, 1) | (1, -1));
    if !fits || !is_below(program, defs, index, n) {
        return None;
    }
    if sum.plus == 0 {
        return Some(Replacement::values(vec![index]));
    }
    let mut stmts = Vec::new();
    let is_within = program.append(Op::Compare(CompareOp::Lt, x, n), stmt.loc, &mut stmts);
    let around = program.append(Op::Binary(BinaryOp::Sub, x, n), stmt.loc, &mut stmts);
    let value = program.append(Op::Select(is_within, x, around), stmt.loc, &mut stmts);
    Some(Replacement { stmts, values: vec![value] })
}

/// Whether `0 <= index < n`. What is below `max(n, 0)` and not below 0 is.
fn is_below(program: &Program, defs: &Defs, index: Value, n: Value) -> bool {
    let facts = Facts { program, defs };
    let is_least_zero = |bound: Value| match facts.op(bound) {
        Some(&Op::Binary(BinaryOp::Max, x, y)) => {
            x == n && facts.integer(y) == Some(0) || y == n && facts.integer(x) == Some(0)
        }
        _ => false,
    };
    bounds::is_in_range(program, defs, index, n)
        || bounds::above(program, defs, index).into_iter().any(is_least_zero)
}

/// `index + turns * n + plus`.
#[derive(Clone, Copy)]
struct Sum {
    index: Option<Value>,
    turns: i64,
    plus: i64,
}

impl Sum {
    fn of(facts: &Facts<'_>, x: Value, n: Value, depth: usize) -> Option<Sum> {
        if x == n {
            return Some(Sum { index: None, turns: 1, plus: 0 });
        }
        if let Some(number) = facts.integer(x) {
            return Some(Sum { index: None, turns: 0, plus: i64::try_from(number).ok()? });
        }
        let (a, b, sign) = match facts.op(x) {
            Some(&Op::Binary(BinaryOp::Add, a, b)) if depth > 0 => (a, b, 1),
            Some(&Op::Binary(BinaryOp::Sub, a, b)) if depth > 0 => (a, b, -1),
            _ => return Some(Sum { index: Some(x), turns: 0, plus: 0 }),
        };
        Sum::of(facts, a, n, depth - 1)?.and(Sum::of(facts, b, n, depth - 1)?, sign)
    }

    fn and(self, other: Sum, sign: i64) -> Option<Sum> {
        let index = match (self.index, other.index) {
            (index, None) => index,
            (None, index) if sign == 1 => index,
            _ => return None,
        };
        let plus = self.plus.checked_add(other.plus.checked_mul(sign)?)?;
        Some(Sum { index, turns: self.turns + sign * other.turns, plus })
    }
}
