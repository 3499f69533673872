//! A place where a fusion looks possible: checked, then either done or refused with a reason.

use super::pass::{Changed, Cx};
pub(super) use super::reason::Reason;
use crate::ir::{BodyId, Defs, Loc, Program};
use crate::report::Refusal;

/// How many refusals that differ only in what something would have been fused with are told: of a hundred dictionaries
/// with keys of their own, each is refused with each, and nobody reads that.
pub(super) const TOLD: usize = 8;

/// What one rule of fusion may be applied to.
pub(super) trait Candidate {
    /// The name of the rule in the report.
    const RULE: &'static str;
    /// What the check finds out, and the fusion needs.
    type Rewrite;

    /// The place that the report names: of the consumer, or of the second of two siblings.
    fn loc(&self, program: &Program) -> Loc;

    /// The place of what it would be fused with, if that is one thing.
    fn producer(&self, _: &Program) -> Option<Loc> {
        None
    }

    /// The place of what makes the vector or dictionary that would be no more; or else of the producer.
    fn made(&self, program: &Program) -> Option<Loc> {
        self.producer(program)
    }

    /// How to fuse, or why not. Changes nothing.
    fn plan(&self, program: &Program, defs: &Defs) -> Result<Self::Rewrite, Reason>;

    /// The rule that the report names where `plan` was made of it.
    fn rule(&self, _: &Self::Rewrite) -> &'static str {
        Self::RULE
    }
}

/// A candidate that is fused by itself, before others are looked at.
pub(super) trait Fusion: Candidate {
    /// Fuses by `plan`, made for this very program.
    fn apply(&self, plan: Self::Rewrite, program: &mut Program);
}

/// Fuses as long as there is fuel and `fuse_some` does a fusion, or any number of them. It is given all bodies, outer
/// before inner, and counts its fusions by [`Cx::allows`].
///
/// In the end nothing is left to fuse, and what was refused last is what the report tells.
pub(super) fn fuse_all(
    program: &mut Program,
    cx: &mut Cx,
    mut fuse_some: impl FnMut(&mut Program, &mut Cx, &[BodyId]) -> bool,
) -> Changed {
    let Some(entry) = program.entry else { return Changed::No };
    let mut changed = Changed::No;
    while !cx.is_empty() {
        cx.forget_refusals();
        let bodies = program.bodies_within(entry);
        if !fuse_some(program, cx, &bodies) {
            break;
        }
        changed = Changed::Yes;
    }
    changed
}

impl Cx {
    /// Records a refusal, once; and of those that differ only in what `at` would have been fused with, the first few.
    pub(super) fn refuse(&mut self, rule: &'static str, reason: Reason, at: Loc, producer: Option<Loc>) {
        // Thousands are told again and again: not by their words.
        let told = self.told.entry(self.pass).or_default().entry((rule, reason, at)).or_default();
        if told.len() < TOLD && !told.contains(&producer) {
            told.push(producer);
            let because = reason.because;
            let refused = Refusal { pass: self.pass, rule, reason: reason.words(), at, producer, because };
            self.report.refused.push(refused);
        }
    }

    /// Does the first of `candidates` that can be done, and tells the report of it and of those refused before.
    /// Whether there was one. What was found out about the program before is void then.
    pub(super) fn fuse_first<F: Fusion>(
        &mut self,
        program: &mut Program,
        defs: &Defs,
        candidates: impl IntoIterator<Item = F>,
    ) -> bool {
        if self.is_empty() {
            return false;
        }
        for candidate in candidates {
            if let Some(plan) = self.accept(program, defs, &candidate) {
                candidate.apply(plan, program);
                return true;
            }
        }
        false
    }

    /// How to do `candidate`, which is then to be done, if it can be and there is fuel. Tells the report.
    pub(super) fn accept<C: Candidate>(
        &mut self,
        program: &Program,
        defs: &Defs,
        candidate: &C,
    ) -> Option<C::Rewrite> {
        self.judge(program, candidate, candidate.plan(program, defs))
    }

    /// As [`Cx::accept`], where it is known what can be done.
    pub(super) fn judge<C: Candidate>(
        &mut self,
        program: &Program,
        candidate: &C,
        plan: Result<C::Rewrite, Reason>,
    ) -> Option<C::Rewrite> {
        let (loc, producer) = (candidate.loc(program), candidate.producer(program));
        match plan {
            Ok(plan) => {
                let rule = candidate.rule(&plan);
                let allowed = self.allows();
                allowed.then(|| self.fuse(rule, loc, producer));
                allowed.then_some(plan)
            }
            Err(reason) => {
                self.refuse(C::RULE, reason, loc, candidate.made(program));
                None
            }
        }
    }
}
