//! What a pass is, and what passes share.

use std::collections::{HashMap, HashSet};

use super::reason::Reason;
use crate::analysis::cost;
use crate::constants::Constant;
use crate::ir::{BodyId, Loc, Program};
use crate::report::{Decision, Fusion, Report};

/// Whether a pass changed the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It is another program now.
    Yes,
    /// It is the same.
    No,
}

impl Changed {
    /// `Yes` if so.
    pub fn from(changed: bool) -> Changed {
        if changed { Changed::Yes } else { Changed::No }
    }
}

/// One pass of the optimizer.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its label, the file's name with dashes.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Runs it once.
    pub run: fn(&mut Program, &mut Cx) -> Changed,
}

/// How to optimize.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What stands in place of parameters.
    pub constants: Vec<Constant>,
    /// How many rewrites to make at most: for finding the one that breaks a program, by bisection.
    pub fuel: Option<u64>,
    /// The pass to stop after, when it has changed the program for the first time.
    pub stop_after: Option<&'static Pass>,
    /// From how many bytes of a state on steps are done in pairs, if not from as many as are said to be worth it: for tests, whose states are
    /// small.
    pub least_paired: Option<u64>,
}

/// What passes share: the account of what was done, and the fuel.
#[derive(Clone, Debug, Default)]
pub struct Cx {
    /// The account.
    pub report: Report<Loc>,
    /// What the report tells of refusals, by the pass that refused, and of decisions.
    pub(super) told: HashMap<&'static str, HashMap<Told, Vec<Option<Loc>>>>,
    pub(super) told_decisions: HashSet<Decision<Loc>>,
    pub(super) fuel: Option<u64>,
    pub(super) least_paired: u64,
    /// The rewrites so far, and the pass that made the last of them.
    pub(super) rewrites: u64,
    pub(super) last: &'static str,
    /// The name of the pass that is running.
    pub(super) pass: &'static str,
    pub(super) settled: Settled,
}

/// Whether what computes a value is as simple as passes can make it.
#[derive(Clone, Debug)]
pub(super) enum Settled {
    /// Passes go on with the program. Whether something has been left undone for that.
    No { waits: bool },
    /// Nothing changed any more, but for these bodies.
    But(HashSet<BodyId>),
}

impl Default for Settled {
    /// As for a pass that runs alone, which has nobody to wait for.
    fn default() -> Settled {
        Settled::But(HashSet::new())
    }
}

impl Cx {
    /// With this much fuel.
    pub fn new(options: &Options) -> Cx {
        let least_paired = options.least_paired.unwrap_or(cost::LEAST_PAIRED);
        Cx { fuel: options.fuel, least_paired, ..Cx::default() }
    }

    /// Records a fusion, and the place of what was fused with what stands at `at`.
    pub(crate) fn fuse(&mut self, rule: &'static str, at: Loc, producer: Option<Loc>) {
        self.report.fused.push(Fusion { pass: self.pass, rule, at, producer });
    }

    /// Records something that was done besides, once.
    pub(crate) fn decide(&mut self, what: String, at: Loc) {
        let decided = Decision { pass: self.pass, what, at };
        if self.told_decisions.insert(decided.clone()) {
            self.report.decided.push(decided);
        }
    }

    /// Forgets what the running pass has refused: it is about to look at everything again.
    pub(super) fn forget_refusals(&mut self) {
        let pass = self.pass;
        if self.told.remove(pass).is_some() {
            self.report.refused.retain(|refused| refused.pass != pass);
        }
    }

    /// The program is no longer what passes have settled on.
    pub(super) fn unsettle(&mut self) {
        if let Settled::But(_) = self.settled {
            self.settled = Settled::No { waits: true };
        }
    }

    /// Whether what `body` computes is as simple as it gets. If not, what asks waits for that.
    pub(super) fn is_settled(&mut self, body: BodyId) -> bool {
        match &mut self.settled {
            Settled::No { waits } => {
                *waits = true;
                false
            }
            Settled::But(changed) => !changed.contains(&body),
        }
    }

    /// Something has changed in `body`.
    pub(super) fn unsettle_body(&mut self, body: BodyId) {
        if let Settled::But(changed) = &mut self.settled {
            changed.insert(body);
        }
    }

    /// Whether the fuel is used up.
    pub fn is_empty(&self) -> bool {
        self.fuel == Some(0)
    }

    /// Asks for one rewrite; a pass must not rewrite when this says no.
    pub fn allows(&mut self) -> bool {
        match &mut self.fuel {
            None => {}
            Some(0) => return false,
            Some(fuel) => *fuel -= 1,
        }
        self.rewrites += 1;
        self.last = self.pass;
        true
    }
}

/// What tells the refusals of a pass apart, but for what it would have been fused with: the rule, the reason and the place.
pub(super) type Told = (&'static str, Reason, Loc);
