//! What types must satisfy besides being equal.

use proc_macro2::Span;
use weldment_runtime::lang::half::Half;
use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::types::Scalar;

use super::ty::Ty;
use super::typed::Expr;
use crate::syntax::ast::{Bound, Spelling};

/// A condition on types that may not be known yet.
#[derive(Clone, Debug)]
pub(super) enum Check {
    /// A number, for the operator shown.
    Number(Ty, &'static str, Span),
    /// An integer, for the operator shown.
    Integer(Ty, &'static str, Span),
    /// An integer, as an index; with how advice writes it.
    Index(Ty, String, Span),
    /// A bool or an integer, for the operator shown.
    Bits(Ty, &'static str, Span),
    /// A float, for the function shown; with how advice writes it.
    Float(Ty, &'static str, String, Span),
    /// What a type parameter may be; with what messages call it.
    Bound(Ty, Bound, String, Span),
    /// A type that `==` compares.
    Comparable(Ty, Span),
    /// A type with an order.
    Ordered(Ty, Span),
    /// A scalar that casts to another.
    Cast(Ty, Scalar, Span),
    /// A scalar that casts to a float of 16 bits.
    Narrowed(Ty, Half, Span),
    /// What has a text.
    Shown(Ty, Span),
    /// What `dbg` shows.
    Dbg(Ty, Span),
    /// A number or a struct of numbers, field by field, for the operator that merges them.
    Reducible(Ty, ReduceOp, Span),
    /// A dictionary key.
    Key(Ty, Span),
    /// What may be in an option.
    Optional(Ty, Span),
    /// A type of values: no builder inside.
    Value(Ty, Span),
    /// A struct with the field of this number, in this spelling, of this type.
    Field { of: Ty, number: (u32, Spelling), field: Ty, span: Span },
    /// A struct with a field of this name, of this type.
    Member { of: Ty, name: String, field: Ty, span: Span },
    /// A vector indexed by any integer, or a dictionary indexed by its key.
    Lookup { of: Ty, key: Expr, value: Ty, span: Span },
    /// A vector or a dictionary.
    Len(Ty, Span),
    /// A type that is known of what is given from outside; of a constant, a scalar.
    Outside { ty: Ty, name: String, is_constant: bool, span: Span },
}

impl Check {
    /// The type the check waits for, and where.
    pub(super) fn subject(&self) -> (&Ty, Span) {
        match self {
            Check::Number(ty, _, span)
            | Check::Integer(ty, _, span)
            | Check::Index(ty, _, span)
            | Check::Bits(ty, _, span)
            | Check::Float(ty, _, _, span)
            | Check::Bound(ty, _, _, span)
            | Check::Comparable(ty, span)
            | Check::Ordered(ty, span)
            | Check::Cast(ty, _, span)
            | Check::Narrowed(ty, _, span)
            | Check::Shown(ty, span)
            | Check::Dbg(ty, span)
            | Check::Reducible(ty, _, span)
            | Check::Key(ty, span)
            | Check::Optional(ty, span)
            | Check::Value(ty, span)
            | Check::Field { of: ty, span, .. }
            | Check::Member { of: ty, span, .. }
            | Check::Lookup { of: ty, span, .. }
            | Check::Len(ty, span)
            | Check::Outside { ty, span, .. } => (ty, *span),
        }
    }
}
