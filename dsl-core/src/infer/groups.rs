//! What is known of the groups of an `aggregate`, while its function is typed.

use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::scalar::BinaryOp;

use super::ty::Ty;
use super::typed::{Expr, Local};

/// What the function of an `aggregate` has asked of its groups so far.
pub(super) struct Group {
    /// The type of the elements.
    pub(super) element: Ty,
    pub(super) parts: Vec<Part>,
    /// Which part counts the elements.
    pub(super) count: Option<usize>,
}

/// One of the reductions.
pub(super) struct Part {
    /// An element, and what is folded of it.
    pub(super) value: (Local, Expr),
    pub(super) fold: Fold,
}

/// How two values become one.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Fold {
    By(BinaryOp),
    First,
    Last,
}

impl Fold {
    /// The operator of a builder that folds so.
    pub(super) fn op(self) -> Option<ReduceOp> {
        match self {
            Fold::By(BinaryOp::Add) => Some(ReduceOp::Add),
            Fold::By(BinaryOp::Mul) => Some(ReduceOp::Mul),
            Fold::By(BinaryOp::Min) => Some(ReduceOp::Min),
            Fold::By(BinaryOp::Max) => Some(ReduceOp::Max),
            _ => None,
        }
    }
}
