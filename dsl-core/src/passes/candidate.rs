//! A place where a fusion looks possible: checked, then either done or refused with a reason.

use super::Cx;
use crate::ir::{Defs, Loc, Program};

/// Why a fusion was not done, in words for users.
pub(super) type Reason = &'static str;

/// What one rule of fusion may be applied to.
pub(super) trait Candidate {
    /// The name of the rule in the report.
    const RULE: &'static str;
    /// What the check finds out, and the fusion needs.
    type Plan;

    /// The place that the report names: of the consumer, or of the second of two siblings.
    fn loc(&self, program: &Program) -> Loc;

    /// How to fuse, or why not. Changes nothing.
    fn plan(&self, program: &Program, defs: &Defs) -> Result<Self::Plan, Reason>;

    /// Fuses by `plan`, made for this very program.
    fn apply(&self, plan: Self::Plan, program: &mut Program);
}

impl Cx {
    /// Does the first of `candidates` that can be done, and tells the report of it and of those refused before.
    /// Whether there was one. What was found out about the program before is void then.
    pub(super) fn fuse_first<C: Candidate>(
        &mut self,
        program: &mut Program,
        defs: &Defs,
        candidates: impl IntoIterator<Item = C>,
    ) -> bool {
        for candidate in candidates {
            let loc = candidate.loc(program);
            match candidate.plan(program, defs) {
                Ok(plan) => {
                    candidate.apply(plan, program);
                    self.fuse(C::RULE, loc);
                    return true;
                }
                Err(reason) => self.refuse(C::RULE, reason, loc),
            }
        }
        false
    }
}
