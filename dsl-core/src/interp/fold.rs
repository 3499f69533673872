//! Reductions by an operator: lanes within a chunk, or one where values are folded in order; chunks in order, the initial value last.
//!
//! Everything here works leaf by leaf on structs of scalars, and each leaf has lanes of its own number.

use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::scalar::{self, Const};
use weldment_runtime::lang::types::{Scalar, Type};
use weldment_runtime::lang::value::Value;

use crate::ir::Order;

/// The running fold of a `reduce` by an operator.
///
/// Integers, `min` and `max` would give the same without lanes; they take the same way all the same.
#[derive(Debug)]
pub(super) enum Fold {
    /// Of a scalar.
    Leaf {
        /// The operator.
        op: ReduceOp,
        /// The type.
        ty: Scalar,
        /// The lanes of the chunk that is under way.
        lanes: Vec<Const>,
        /// The fold of the chunks that are done.
        total: Const,
    },
    /// Of a struct: one fold per field.
    Struct(Vec<Fold>),
}

impl Fold {
    /// The fold of nothing, on values of type `ty`.
    pub(super) fn new(op: ReduceOp, ty: &Type, order: Order) -> Fold {
        match ty {
            Type::Struct(fields) => {
                Fold::Struct(fields.iter().map(|field| Fold::new(op, field, order)).collect())
            }
            _ => {
                let ty = ty.as_scalar().expect("operators reduce scalars");
                let neutral = op.neutral(ty);
                let lanes = match order {
                    Order::Lanes => ReduceOp::lanes(ty),
                    Order::InOrder => 1,
                };
                Fold::Leaf { op, ty, lanes: vec![neutral; lanes], total: neutral }
            }
        }
    }

    /// Merges `value` in the iteration at `position` of the chunk, or of the innermost `for`.
    pub(super) fn merge(&mut self, position: u64, value: &Value) {
        match (self, value) {
            (Fold::Struct(folds), Value::Struct(fields)) => {
                folds.iter_mut().zip(fields.iter()).for_each(|(fold, field)| fold.merge(position, field));
            }
            (Fold::Leaf { op, lanes, .. }, _) => {
                let lane = (position % lanes.len() as u64) as usize;
                lanes[lane] = apply(*op, lanes[lane], value.as_const().expect("a scalar"));
            }
            (Fold::Struct(_), _) => panic!("{value:?} merged where a struct is reduced"),
        }
    }

    /// Ends a chunk: its lanes become its total, which joins those before it.
    pub(super) fn end_chunk(&mut self) {
        match self {
            Fold::Struct(folds) => folds.iter_mut().for_each(Fold::end_chunk),
            Fold::Leaf { op, ty, lanes, total } => {
                let neutral = op.neutral(*ty);
                let chunk = lanes.iter().fold(neutral, |sum, &lane| apply(*op, sum, lane));
                *total = apply(*op, *total, chunk);
                lanes.fill(neutral);
            }
        }
    }

    /// The fold of all chunks.
    pub(super) fn total(&self) -> Value {
        match self {
            Fold::Struct(folds) => Value::structure(folds.iter().map(Fold::total).collect()),
            Fold::Leaf { total, .. } => (*total).into(),
        }
    }

    /// `init op total`, with the identity for a missing `init`.
    pub(super) fn finish(&self, init: Option<&Value>) -> Value {
        match self {
            Fold::Struct(folds) => {
                let field = |i| match init {
                    Some(Value::Struct(fields)) => Some(&fields[i]),
                    _ => None,
                };
                Value::structure(folds.iter().enumerate().map(|(i, fold)| fold.finish(field(i))).collect())
            }
            Fold::Leaf { op, ty, total, .. } => {
                let init = match init {
                    Some(value) => value.as_const().expect("a scalar"),
                    None => op.identity(*ty),
                };
                apply(*op, init, *total).into()
            }
        }
    }
}

/// `a op b`, leaf by leaf.
pub fn combine(op: ReduceOp, a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Struct(a), Value::Struct(b)) => {
            Value::structure(a.iter().zip(b.iter()).map(|(a, b)| combine(op, a, b)).collect())
        }
        _ => apply(op, a.as_const().expect("a scalar"), b.as_const().expect("a scalar")).into(),
    }
}

/// The neutral value of a partial, leaf by leaf.
pub fn neutral(op: ReduceOp, ty: &Type) -> Value {
    match ty {
        Type::Struct(fields) => Value::structure(fields.iter().map(|field| neutral(op, field)).collect()),
        _ => op.neutral(ty.as_scalar().expect("operators reduce scalars")).into(),
    }
}

fn apply(op: ReduceOp, a: Const, b: Const) -> Const {
    scalar::binary(op.binary(), a, b).expect("reduction operators do not fault")
}
