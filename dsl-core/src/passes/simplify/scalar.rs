//! The table of scalar rules.
//!
//! One rule, one line, with its equation. Every equation is exact on every value of the type: floats are never
//! re-associated, `x + 0.0` is not x (−0.0 + 0.0 is 0.0), and an op that can fault stays. An operand that makes no difference to the
//! result does not, as x in `x * 0`: nobody needs it, nor its fault. No rule makes code worse.

use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::types::{Scalar, Type};

use crate::analysis::bounds;
use crate::ir::local::Facts;
use crate::ir::{BinaryOp as B, CompareOp as C, Op, UnaryOp as U, Value};

/// What an op becomes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum To {
    /// A value that exists.
    Value(Value),
    /// Another op.
    Op(Op),
}

/// An equation, and the function that uses it from left to right.
type Rule = (&'static str, fn(&Facts<'_>, &Op) -> Option<To>);

/// All scalar rules.
pub(super) const RULES: &[Rule] = &[
    ("x + 0 = x", |f, op| f.with_integer(op, B::Add, 0).map(To::Value)),
    ("x - 0 = x", |f, op| f.with_integer(op, B::Sub, 0).map(To::Value)),
    ("x * 1 = x", |f, op| f.with_integer(op, B::Mul, 1).map(To::Value)),
    ("x / 1 = x", |f, op| f.with_integer(op, B::Div, 1).map(To::Value)),
    ("x * 0 = 0, of integers, where no index is known by it", |f, op| {
        let x = f.with_integer(op, B::Mul, 0)?;
        (!bounds::is_scaled_by_nothing(f.program, f.defs, x)).then(|| f.number(x, 0))
    }),
    ("x % 1 = 0", |f, op| f.with_integer(op, B::Rem, 1).map(|x| f.number(x, 0))),
    ("x & 0 = 0", |f, op| f.with_integer(op, B::And, 0).map(|x| f.number(x, 0))),
    ("x & -1 = x", |f, op| f.with_integer(op, B::And, -1).map(To::Value)),
    ("x | 0 = x", |f, op| f.with_integer(op, B::Or, 0).map(To::Value)),
    ("x | -1 = -1", |f, op| f.with_integer(op, B::Or, -1).map(|x| f.number(x, -1))),
    ("x ^ 0 = x", |f, op| f.with_integer(op, B::Xor, 0).map(To::Value)),
    ("x ^ true = !x", |f, op| f.with_bool(op, B::Xor, true).map(|x| To::Op(Op::Unary(U::Not, x)))),
    ("x << 0 = x", |f, op| f.with_integer(op, B::Shl, 0).map(To::Value)),
    ("x >> 0 = x", |f, op| f.with_integer(op, B::Shr, 0).map(To::Value)),
    ("x - x = 0, of integers", |f, op| {
        f.twice(op, B::Sub).filter(|x| f.is_exact(*x)).map(|x| f.number(x, 0))
    }),
    ("x ^ x = 0", |f, op| f.twice(op, B::Xor).map(|x| f.number(x, 0))),
    ("x & x = x", |f, op| f.twice(op, B::And).map(To::Value)),
    ("x | x = x", |f, op| f.twice(op, B::Or).map(To::Value)),
    ("min(x, x) = x", |f, op| f.twice(op, B::Min).map(To::Value)),
    ("max(x, x) = x", |f, op| f.twice(op, B::Max).map(To::Value)),
    ("x + -0.0 = x", |f, op| f.with_float(op, B::Add, -0.0).map(To::Value)),
    ("x - 0.0 = x", |f, op| f.with_float(op, B::Sub, 0.0).map(To::Value)),
    ("x * 1.0 = x", |f, op| f.with_float(op, B::Mul, 1.0).map(To::Value)),
    ("x / 1.0 = x", |f, op| f.with_float(op, B::Div, 1.0).map(To::Value)),
    ("--x = x", |f, op| f.unary_twice(op, U::Neg).map(To::Value)),
    ("!!x = x", |f, op| f.unary_twice(op, U::Not).map(To::Value)),
    ("!(x == y) = x != y, and so on for ordered types", |f, op| f.negated_comparison(op).map(To::Op)),
    ("x == x = true, where NaN is not", |f, op| f.self_comparison(op).map(|b| To::Op(Op::Const(b.into())))),
    ("x == true = x", |f, op| f.compared_with(op, C::Eq, true).map(To::Value)),
    ("x != false = x", |f, op| f.compared_with(op, C::Ne, false).map(To::Value)),
    ("x == false = !x", |f, op| f.compared_with(op, C::Eq, false).map(|x| To::Op(Op::Unary(U::Not, x)))),
    ("x != true = !x", |f, op| f.compared_with(op, C::Ne, true).map(|x| To::Op(Op::Unary(U::Not, x)))),
    ("cast to its own type = x", |f, op| match op {
        Op::Cast(to, x) if *f.ty(*x) == Type::Scalar(*to) => Some(To::Value(*x)),
        _ => None,
    }),
    ("select c, x, x = x", |_, op| match op {
        Op::Select(_, x, y) if x == y => Some(To::Value(*x)),
        _ => None,
    }),
    ("select c, k, k = k, a constant", |f, op| match op {
        Op::Select(_, x, y) if f.constant(*x)? == f.constant(*y)? => Some(To::Value(*x)),
        _ => None,
    }),
    ("select true, x, y = x", |f, op| match op {
        Op::Select(c, x, y) => Some(To::Value(if f.integer(*c)? != 0 { *x } else { *y })),
        _ => None,
    }),
    ("select !c, x, y = select c, y, x", |f, op| match op {
        Op::Select(c, x, y) => f.negated(*c).map(|c| To::Op(Op::Select(c, *y, *x))),
        _ => None,
    }),
    ("select c, true, x = c | x", |f, op| {
        f.select_with(op, 1, 1).map(|(c, x)| To::Op(Op::Binary(B::Or, c, x)))
    }),
    ("select c, x, false = c & x", |f, op| {
        f.select_with(op, 2, 0).map(|(c, x)| To::Op(Op::Binary(B::And, c, x)))
    }),
    ("select c, false, true = !c", |f, op| match op {
        Op::Select(c, x, y) if f.is_bool(*x, false) && f.is_bool(*y, true) => {
            Some(To::Op(Op::Unary(U::Not, *c)))
        }
        _ => None,
    }),
];

impl Facts<'_> {
    /// The other operand of `binary`, if one operand is the integer `number` (the right one, unless the order
    /// of the operands does not matter).
    fn with_integer(&self, op: &Op, binary: B, number: i128) -> Option<Value> {
        self.with(op, binary, |constant| {
            let ty = constant.scalar();
            !ty.is_float() && *constant == Const::from_i128(ty, number)
        })
    }

    fn with_bool(&self, op: &Op, binary: B, wanted: bool) -> Option<Value> {
        self.with(op, binary, |constant| *constant == Const::Bool(wanted))
    }

    fn with_float(&self, op: &Op, binary: B, number: f64) -> Option<Value> {
        self.with(op, binary, |constant| {
            *constant == Const::F64(number) || *constant == Const::F32(number as f32)
        })
    }

    fn with(&self, op: &Op, wanted: B, holds: impl Fn(&Const) -> bool) -> Option<Value> {
        let &Op::Binary(binary, x, y) = op else { return None };
        if binary != wanted {
            return None;
        }
        if self.constant(y).is_some_and(|constant| holds(&constant)) {
            return Some(x);
        }
        let commutes = matches!(binary, B::Add | B::Mul | B::And | B::Or | B::Xor);
        (commutes && self.constant(x).is_some_and(|constant| holds(&constant))).then_some(y)
    }

    /// The operand of `binary`, if both are the same.
    fn twice(&self, op: &Op, wanted: B) -> Option<Value> {
        match op {
            Op::Binary(binary, x, y) if *binary == wanted && x == y => Some(*x),
            _ => None,
        }
    }

    fn unary_twice(&self, op: &Op, wanted: U) -> Option<Value> {
        let Op::Unary(outer, x) = op else { return None };
        match self.op(*x)? {
            Op::Unary(inner, y) if *outer == wanted && *inner == wanted => Some(*y),
            _ => None,
        }
    }

    /// The value whose negation `value` is.
    fn negated(&self, value: Value) -> Option<Value> {
        match self.op(value)? {
            Op::Unary(U::Not, x) => Some(*x),
            _ => None,
        }
    }

    fn negated_comparison(&self, op: &Op) -> Option<Op> {
        let Op::Unary(U::Not, x) = op else { return None };
        let &Op::Compare(compare, x, y) = self.op(*x)? else { return None };
        let opposite = match compare {
            C::Eq => C::Ne,
            C::Ne => C::Eq,
            C::Lt => C::Ge,
            C::Le => C::Gt,
            C::Gt => C::Le,
            C::Ge => C::Lt,
        };
        let holds = matches!(compare, C::Eq | C::Ne) || !self.ty(x).has_floats();
        holds.then_some(Op::Compare(opposite, x, y))
    }

    fn self_comparison(&self, op: &Op) -> Option<bool> {
        let Op::Compare(compare, x, y) = op else { return None };
        if x != y {
            return None;
        }
        match compare {
            C::Lt | C::Gt => Some(false),
            _ if self.ty(*x).has_floats() => None,
            compare => Some(*compare != C::Ne),
        }
    }

    /// The bool that is compared with the constant `wanted`.
    fn compared_with(&self, op: &Op, compare: C, wanted: bool) -> Option<Value> {
        match op {
            Op::Compare(found, x, y) if *found == compare && self.is_bool(*y, wanted) => Some(*x),
            Op::Compare(found, x, y) if *found == compare && self.is_bool(*x, wanted) => Some(*y),
            _ => None,
        }
    }

    /// The condition and the other operand of a `select` of bools whose operand `place` is the constant.
    fn select_with(&self, op: &Op, place: usize, wanted: i128) -> Option<(Value, Value)> {
        let &Op::Select(c, x, y) = op else { return None };
        let (constant, other) = if place == 1 { (x, y) } else { (y, x) };
        self.is_bool(constant, wanted != 0).then_some((c, other))
    }

    fn is_bool(&self, value: Value, wanted: bool) -> bool {
        self.constant(value) == Some(Const::Bool(wanted))
    }

    fn is_exact(&self, value: Value) -> bool {
        !self.ty(value).has_floats()
    }

    /// The number `number` in the type of `like`.
    fn number(&self, like: Value, number: i128) -> To {
        let ty = self.ty(like).as_scalar().unwrap_or(Scalar::I64);
        To::Op(Op::Const(Const::from_i128(ty, number)))
    }
}
