//! The optimizer: the list of passes, and the runner that repeats them until nothing changes.
//!
//! A pass is a constant [`Pass`]: a name, a summary and a function. Everything else is done here: order,
//! repetition with a bound, verification (in debug builds after each pass that changed something, else in the
//! end), fuel, dumping. A pass has one name everywhere: the file `fuse_vertical.rs`, the label `fuse-vertical`, the folder
//! `filetests/passes/fuse-vertical/`.
//!
//! # Adding a pass
//! A filetest that shows the wish; a file whose doc has **Preconditions**, **Before / After** (run as a test),
//! **Declines when** and **Order**; a line in [`PASSES`]; near misses that must not fire.

mod broken;
mod candidate;
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

pub use broken::Broken;
pub use report::{Fused, Refused, Report};

use crate::analysis::structure::Structure;
use crate::ir::{Loc, Op, Program, verify};

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

/// When the verifier looks at the program.
#[derive(Clone, Copy, PartialEq)]
enum Verification {
    AfterEachPass,
    InTheEnd,
}

/// Runs all passes until nothing changes any more.
///
/// # Errors
/// A pass broke the program, which is then of no use any more.
pub fn optimize(program: &mut Program, options: &Options) -> Result<Report, Broken> {
    optimize_with(program, options, |_, _| {})
}

/// As [`optimize`], showing the program after each pass that changed it.
///
/// # Errors
/// As [`optimize`].
pub fn optimize_with(
    program: &mut Program,
    options: &Options,
    show: impl FnMut(&Pass, &Program),
) -> Result<Report, Broken> {
    if cfg!(debug_assertions) {
        return run_to_fixpoint(program, options, Verification::AfterEachPass, show);
    }
    let plain = program.clone();
    let report = run_to_fixpoint(program, options, Verification::InTheEnd, show)?;
    if verify(program).is_ok() {
        return Ok(report);
    }
    // Once more, to name the pass.
    *program = plain;
    run_to_fixpoint(program, options, Verification::AfterEachPass, |_, _| {})
}

fn run_to_fixpoint(
    program: &mut Program,
    options: &Options,
    verification: Verification,
    mut show: impl FnMut(&Pass, &Program),
) -> Result<Report, Broken> {
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
            let changed = match verification {
                Verification::AfterEachPass => run_pass(pass, program, &mut cx)?,
                Verification::InTheEnd => run_unverified(pass, program, &mut cx),
            };
            if changed == Changed::Yes {
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
    refuse_iterations(program, &mut cx);
    let after = Structure::of(program);
    cx.report.loops_before = before.loops;
    cx.report.loops_after = after.loops;
    cx.report.materialized_before = before.materialized;
    cx.report.materialized_after = after.materialized;
    Ok(cx.report)
}

/// Says of each `iterate`, which a `fold` may have become, that it is no loop to fuse or to split.
fn refuse_iterations(program: &Program, cx: &mut Cx) {
    let Some(entry) = program.entry else { return };
    cx.pass = "iterate";
    program.for_each_stmt(entry, &mut |stmt| {
        if let Op::Iterate { .. } = stmt.op {
            let reason = "each step needs the state of the one before, so they run one after another";
            cx.refuse("in order", reason, stmt.loc);
        }
    });
}

/// Runs one pass, once, and verifies what it made of the program.
///
/// # Errors
/// The pass broke the program.
pub fn run_pass(pass: &Pass, program: &mut Program, cx: &mut Cx) -> Result<Changed, Broken> {
    let changed = run_unverified(pass, program, cx);
    if changed == Changed::Yes {
        verify(program).map_err(|errors| Broken::new(pass.name, errors, program))?;
    }
    Ok(changed)
}

fn run_unverified(pass: &Pass, program: &mut Program, cx: &mut Cx) -> Changed {
    cx.pass = pass.name;
    cx.forget_refusals();
    (pass.run)(program, cx)
}
