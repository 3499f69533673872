//! What types must satisfy besides being equal, kept until the type is known.

use proc_macro2::Span;
use weldment_runtime::lang::types::Scalar;

use super::ty::Ty;
use super::typed::Expr;
use super::{Infer, Typed};
use crate::syntax::ast::Spelling;

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
    /// A type that `==` compares.
    Comparable(Ty, Span),
    /// A type with an order.
    Ordered(Ty, Span),
    /// A scalar that casts to another.
    Cast(Ty, Scalar, Span),
    /// A number or a struct of numbers, field by field.
    Reducible(Ty, Span),
    /// A dictionary key.
    Key(Ty, Span),
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
}

/// Whether a check could be decided.
pub(super) enum Outcome {
    Done,
    Wait,
}

impl Infer<'_> {
    /// Decides `check` now, or keeps it until its type is known. Its mistake is that of the construct at hand, whose
    /// type is not known then.
    pub(super) fn check(&mut self, check: Check) -> Typed<()> {
        if let Outcome::Wait = self.decide(&check)? {
            self.checks.push(check);
        }
        Ok(())
    }

    /// As [`Infer::check`], for a construct whose type is known even if the check fails.
    pub(super) fn require(&mut self, check: Check) {
        let outcome = self.check(check);
        self.report(outcome);
    }

    /// Decides every check that can be decided; where nothing moves any more, literals become i32 and f64. Gives the
    /// checks that stay undecided.
    pub(super) fn solve(&mut self) -> Vec<Check> {
        loop {
            let pending = std::mem::take(&mut self.checks);
            let before = pending.len();
            for check in pending {
                let outcome = self.check(check.clone());
                if self.report(outcome).is_none() {
                    self.give_up(&check);
                }
            }
            if self.checks.is_empty() || self.checks.len() == before && !self.unifier.default_literals() {
                self.unifier.default_literals();
                return std::mem::take(&mut self.checks);
            }
        }
    }

    /// Whether it is known that no operator merges values of this type.
    pub(super) fn cannot_reduce(&self, ty: &Ty) -> bool {
        if self.unifier.is_too_large(ty) {
            return true;
        }
        match self.unifier.seen(ty) {
            Ty::Var(_) => false,
            Ty::Scalar(scalar) => scalar == Scalar::Bool,
            Ty::Struct(fields) => fields.iter().any(|field| self.cannot_reduce(field)),
            _ => true,
        }
    }

    /// Makes what a failed check would have found agree with every type.
    fn give_up(&mut self, check: &Check) {
        if let Check::Field { field: ty, .. }
        | Check::Member { field: ty, .. }
        | Check::Lookup { value: ty, .. } = check
        {
            self.unifier.poison(ty);
        }
    }
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
            | Check::Comparable(ty, span)
            | Check::Ordered(ty, span)
            | Check::Cast(ty, _, span)
            | Check::Reducible(ty, span)
            | Check::Key(ty, span)
            | Check::Value(ty, span)
            | Check::Field { of: ty, span, .. }
            | Check::Member { of: ty, span, .. }
            | Check::Lookup { of: ty, span, .. }
            | Check::Len(ty, span) => (ty, *span),
        }
    }
}
