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
mod tuple_reducer;

pub mod common_subexpressions;
pub mod dead_code;
pub mod fold_constants;
pub mod fold_loops;
pub mod fuse_horizontal;
pub mod fuse_vertical;
pub mod group_by_reduce;
pub mod hoist;
pub mod predicate;
pub mod share_tables;
pub mod simplify;
pub mod struct_of_arrays;
pub mod unroll;

pub use broken::Broken;

use std::collections::HashSet;

use self::candidate::Reason;
use crate::analysis::assumptions;
use crate::analysis::structure::{self, Structure};
use crate::ir::{Loc, Op, Program, verify};
use crate::report::{Change, Fused, Refused, Report};

/// Whether a pass changed the program.
///
/// ```
/// # use weldment_core::ir::*;
/// # use weldment_core::passes::*;
/// let dead_code = PASSES.iter().find(|pass| pass.name == "dead-code").unwrap();
/// let mut program = parse("weldment ir 1 program(v0: i64) { v1: i64 = neg v0 return v0 }").unwrap();
/// assert_eq!(run_pass(dead_code, &mut program, &mut Cx::default())?, Changed::Yes);
/// assert_eq!(run_pass(dead_code, &mut program, &mut Cx::default())?, Changed::No);
/// # Ok::<(), Broken>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It is another program now.
    Yes,
    /// It is the same.
    No,
}

impl Changed {
    /// `Yes` if so.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_core::passes::*;
    /// assert_eq!((Changed::from(true), Changed::from(false)), (Changed::Yes, Changed::No));
    /// ```
    pub fn from(changed: bool) -> Changed {
        if changed { Changed::Yes } else { Changed::No }
    }
}

/// One pass of the optimizer.
///
/// ```
/// # use weldment_core::ir::*;
/// # use weldment_core::passes::*;
/// let fold_constants = PASSES.iter().find(|pass| pass.name == "fold-constants").unwrap();
/// let mut program = parse("weldment ir 1 program() {
///     v0: i64 = const 3 v1: i64 = mul v0, v0 return v1 }").unwrap();
/// run_pass(fold_constants, &mut program, &mut Cx::default())?;
/// assert!(program.to_string().contains("v1: i64 = const 9"));
/// # Ok::<(), Broken>(())
/// ```
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
    fold_loops::PASS,
    common_subexpressions::PASS,
    unroll::PASS,
    dead_code::PASS,
    fuse_vertical::PASS,
    fuse_horizontal::PASS,
    group_by_reduce::PASS,
    share_tables::PASS,
    struct_of_arrays::PASS,
    predicate::PASS,
    hoist::PASS,
];

/// How many rounds are made at most. Each round that changes something brings the program nearer to a
/// fixpoint; the bound is there for the case of two rules that undo each other.
const MAX_ROUNDS: usize = 64;

/// How to optimize.
///
/// ```
/// # use weldment_core::front::from_text;
/// # use weldment_core::ir::*;
/// # use weldment_core::passes::*;
/// let mut program = from_text("|v: &[f64]| v.map(|x| x * x).sum()").unwrap().program;
/// let plain = program.clone();
/// optimize(&mut program, &Options { fuel: Some(0) })?; // not one rewrite
/// assert_eq!(program, plain);
/// # Ok::<(), Broken>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How many rewrites to make at most: for finding the one that breaks a program, by bisection.
    pub fuel: Option<u64>,
}

/// What passes share: the account of what was done, and the fuel.
///
/// ```
/// # use weldment_core::ir::*;
/// # use weldment_core::passes::*;
/// let mut cx = Cx::new(&Options { fuel: Some(1) });
/// assert!(cx.allows() && !cx.allows());
/// assert!(cx.report.fused.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cx {
    /// The account.
    pub report: Report<Loc>,
    /// What the report tells of refusals.
    told: HashSet<Refused<Loc>>,
    fuel: Option<u64>,
    /// The name of the pass that is running.
    pass: &'static str,
}

impl Cx {
    /// With this much fuel.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_core::passes::*;
    /// assert!(Cx::new(&Options { fuel: Some(0) }).is_empty() && !Cx::new(&Options::default()).is_empty());
    /// ```
    pub fn new(options: &Options) -> Cx {
        Cx { fuel: options.fuel, ..Cx::default() }
    }

    /// Records a fusion, and the place of what was fused with what stands at `at`.
    pub(crate) fn fuse(&mut self, rule: &'static str, at: Loc, producer: Option<Loc>) {
        self.report.fused.push(Fused { pass: self.pass, rule, at, producer });
    }

    /// Records a refusal, once.
    fn refuse(&mut self, rule: &'static str, reason: Reason, at: Loc) {
        let refused = Refused { pass: self.pass, rule, reason: reason.text, at, because: reason.because };
        if self.told.insert(refused.clone()) {
            self.report.refused.push(refused);
        }
    }

    /// Forgets what the running pass has refused: it is about to look at everything again.
    fn forget_refusals(&mut self) {
        let pass = self.pass;
        self.report.refused.retain(|refused| refused.pass != pass);
        self.told.retain(|refused| refused.pass != pass);
    }

    /// Whether the fuel is used up.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_core::passes::*;
    /// let mut cx = Cx::new(&Options { fuel: Some(1) });
    /// assert!(!cx.is_empty());
    /// cx.allows();
    /// assert!(cx.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.fuel == Some(0)
    }

    /// Asks for one rewrite; a pass must not rewrite when this says no.
    ///
    /// ```
    /// # use weldment_core::ir::*;
    /// # use weldment_core::passes::*;
    /// let mut cx = Cx::new(&Options { fuel: Some(2) });
    /// assert_eq!([cx.allows(), cx.allows(), cx.allows()], [true, true, false]);
    /// assert!(Cx::default().allows()); // without end
    /// ```
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
///
/// ```
/// # use weldment_core::front::from_text;
/// # use weldment_core::ir::*;
/// # use weldment_core::passes::*;
/// let mut program = from_text("|v: &[f64]| v.map(|x| x * x).sum()").unwrap().program;
/// let report = optimize(&mut program, &Options::default())?;
/// assert_eq!((report.loops.before, report.loops.after), (2, 1));
/// assert!(!program.to_string().contains("collect")); // no vector of squares
/// # Ok::<(), Broken>(())
/// ```
pub fn optimize(program: &mut Program, options: &Options) -> Result<Report<Loc>, Broken> {
    optimize_with(program, options, |_, _, _| {})
}

/// As [`optimize`], showing the program after each run of a pass, and whether the pass changed it.
///
/// # Errors
/// As [`optimize`].
///
/// ```
/// # use weldment_core::front::from_text;
/// # use weldment_core::ir::*;
/// # use weldment_core::passes::*;
/// let mut program = from_text("|v: &[f64]| v.map(|x| x * x).sum()").unwrap().program;
/// let mut passes = Vec::new();
/// optimize_with(&mut program, &Options::default(), |pass, changed, _program| passes.push((pass.name, changed)))?;
/// assert!(passes.contains(&("fuse-vertical", Changed::Yes)) && !passes.contains(&("unroll", Changed::Yes)));
/// # Ok::<(), Broken>(())
/// ```
pub fn optimize_with(
    program: &mut Program,
    options: &Options,
    show: impl FnMut(&Pass, Changed, &Program),
) -> Result<Report<Loc>, Broken> {
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
    run_to_fixpoint(program, options, Verification::AfterEachPass, |_, _, _| {})
}

fn run_to_fixpoint(
    program: &mut Program,
    options: &Options,
    verification: Verification,
    mut show: impl FnMut(&Pass, Changed, &Program),
) -> Result<Report<Loc>, Broken> {
    let before = Structure::of(program);
    let mut cx = Cx::new(options);
    cx.report.assumed = assumptions::of(program);
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
            show(pass, changed, program);
            if changed == Changed::Yes {
                changes += 1;
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
    cx.report.loops = Change { before: before.loops, after: after.loops };
    cx.report.materialized = Change { before: before.materialized, after: after.materialized };
    cx.report.stored = structure::stored(program);
    Ok(cx.report)
}

/// Says of each `iterate`, which a `fold` may have become, that it is no loop to fuse or to split.
fn refuse_iterations(program: &Program, cx: &mut Cx) {
    let Some(entry) = program.entry else { return };
    cx.pass = "iterate";
    program.for_each_stmt(entry, &mut |stmt| {
        if let Op::Iterate { .. } = stmt.op {
            let reason =
                Reason::new("each step needs the state of the one before, so they run one after another");
            cx.refuse("in order", reason, stmt.loc);
        }
    });
}

/// Runs one pass, once, and verifies what it made of the program.
///
/// # Errors
/// The pass broke the program.
///
/// ```
/// # use weldment_core::front::from_text;
/// # use weldment_core::ir::*;
/// # use weldment_core::passes::*;
/// let mut program = from_text("|v: &[f64]| v.map(|x| x * x).sum()").unwrap().program;
/// let mut cx = Cx::default();
/// assert_eq!(run_pass(&fuse_vertical::PASS, &mut program, &mut cx)?, Changed::Yes);
/// assert_eq!(cx.report.fused[0].pass, "fuse-vertical");
/// # Ok::<(), Broken>(())
/// ```
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
