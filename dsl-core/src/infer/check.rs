//! Deciding what types must satisfy besides being equal, which is kept until the type is known.

use weldment_runtime::lang::types::Scalar;

use super::condition::Check;
use super::context::{Infer, Typed};
use super::ty::Ty;

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
