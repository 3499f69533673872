//! The optimizer: the list of passes, and the runner that repeats them until nothing changes.
//!
//! A pass is a constant [`Pass`]: a name, a summary and a function. Everything else is done here: order,
//! repetition with a bound, verification (in debug builds, after each pass that changed something), fuel,
//! dumping. A pass has one name everywhere: the file `fuse_vertical.rs`, the label `fuse-vertical`, the folder
//! `filetests/passes/fuse-vertical/`.
//!
//! # Adding a pass
//! A filetest that shows the wish; a file whose doc has **Preconditions**, **Before / After** (run as a test),
//! **Declines when** and **Order**; a line in [`PASSES`]; near misses that must not fire.

mod report;

pub mod common_subexpressions;
pub mod dead_code;
pub mod fold_constants;
pub mod fuse_horizontal;
pub mod fuse_vertical;
pub mod hoist;
pub mod predicate;
pub mod simplify;
pub mod unroll;

pub use report::{Fused, Refused, Report};

use crate::analysis::structure::Structure;
use crate::ir::{Loc, Program, verify};

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

/// Every pass, in the order in which a round runs them.
pub const PASSES: &[Pass] = &[
    simplify::PASS,
    fold_constants::PASS,
    common_subexpressions::PASS,
    unroll::PASS,
    dead_code::PASS,
    fuse_vertical::PASS,
    fuse_horizontal::PASS,
    predicate::PASS,
    hoist::PASS,
];

/// How many rounds are made at most. Each round that changes something brings the program nearer to a
/// fixpoint; the bound is there for the case of two rules that undo each other.
const MAX_ROUNDS: usize = 64;

/// How to optimize.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How many rewrites to make at most: for finding the one that breaks a program, by bisection.
    pub fuel: Option<u64>,
}

/// What passes share: the account of what was done, and the fuel.
#[derive(Clone, Debug, Default)]
pub struct Cx {
    /// The account.
    pub report: Report,
    fuel: Option<u64>,
    /// The name of the pass that is running.
    pass: &'static str,
}

impl Cx {
    /// With this much fuel.
    pub fn new(options: &Options) -> Cx {
        Cx { report: Report::default(), fuel: options.fuel, pass: "" }
    }

    /// Records a fusion.
    pub fn fuse(&mut self, rule: &'static str, loc: Loc) {
        self.report.fused.push(Fused { pass: self.pass, rule, loc });
    }

    /// Records a refusal, once.
    pub fn refuse(&mut self, rule: &'static str, reason: &'static str, loc: Loc) {
        let refused = Refused { pass: self.pass, rule, reason, loc };
        if !self.report.refused.contains(&refused) {
            self.report.refused.push(refused);
        }
    }

    /// Forgets what the running pass has refused: it is about to look at everything again.
    pub fn forget_refusals(&mut self) {
        let pass = self.pass;
        self.report.refused.retain(|refused| refused.pass != pass);
    }

    /// Whether the fuel is used up.
    pub fn is_empty(&self) -> bool {
        self.fuel == Some(0)
    }

    /// Asks for one rewrite; a pass must not rewrite when this says no.
    pub fn allows(&mut self) -> bool {
        match &mut self.fuel {
            None => true,
            Some(0) => false,
            Some(fuel) => {
                *fuel -= 1;
                true
            }
        }
    }
}

/// Runs all passes until nothing changes any more.
pub fn optimize(program: &mut Program, options: &Options) -> Report {
    optimize_with(program, options, |_, _| {})
}

/// As [`optimize`], showing the program after each pass that changed it.
pub fn optimize_with(
    program: &mut Program,
    options: &Options,
    mut show: impl FnMut(&Pass, &Program),
) -> Report {
    let before = Structure::of(program);
    let mut cx = Cx::new(options);
    // The number of changes so far, and that number when each pass last ran.
    let mut changes = 0;
    let mut seen = vec![None; PASSES.len()];
    for _ in 0..MAX_ROUNDS {
        let changes_before = changes;
        for (pass, seen) in PASSES.iter().zip(&mut seen) {
            if *seen == Some(changes) {
                continue;
            }
            if run_pass(pass, program, &mut cx) == Changed::Yes {
                changes += 1;
                show(pass, program);
            } else {
                *seen = Some(changes);
            }
        }
        if changes == changes_before {
            break;
        }
    }
    let after = Structure::of(program);
    cx.report.loops_before = before.loops;
    cx.report.loops_after = after.loops;
    cx.report.materialized_before = before.materialized;
    cx.report.materialized_after = after.materialized;
    cx.report
}

/// Runs one pass, once, and verifies what it made of the program in debug builds.
pub fn run_pass(pass: &Pass, program: &mut Program, cx: &mut Cx) -> Changed {
    cx.pass = pass.name;
    cx.forget_refusals();
    let changed = (pass.run)(program, cx);
    if cfg!(debug_assertions)
        && changed == Changed::Yes
        && let Err(errors) = verify(program)
    {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{} broke the program: {}\n{program}", pass.name, errors.join("; "));
    }
    changed
}
