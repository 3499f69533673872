//! The optimizer: the list of passes, and the runner that repeats them until nothing changes.
//!
//! A pass is a constant [`Pass`]: a name, a summary and a function. Everything else is done here: order,
//! repetition with a bound, verification (in debug builds after each pass that changed something, else in the
//! end), fuel, dumping. A pass has one name everywhere: the file `fuse_vertical.rs`, the label `fuse-vertical`, the folder
//! `filetests/passes/fuse-vertical/`.
//!
//! What a fusion rests on may go when what it fused is simplified. Such fusions, and pairs of steps, wait until nothing changes any more,
//! and only then does a round make them.
//!
//! # What a pass keeps
//! Where a program gives a value, it gives the same afterwards, but for the rounding of float sums, and calls foreign functions no
//! more often. Where it faults, it has one of its faults afterwards, if not the same: fusion brings a later loop's first iteration
//! before the second of an earlier one. Only the fault of a value that nobody needs may be gone: of one whose place any other could
//! take, with the same result and with all assertions held. An `assert` never goes. No fault comes that was not
//! there. The tests in `tests/generated/promise.rs` hold passes to that, on generated programs.
//!
//! # Constants
//! Constants that a program is specialised to, in place of parameters, come behind the rounds: the program is optimised as it is, then the constants
//! are bound, and those passes run that follow from that and leave the order of floats as it is. So constants decide no fusion, and the bits
//! are those of the program without them: which loops are fused, and how long their chunks are, shows in sums of floats.
//!
//! # Adding a pass
//! A filetest that shows the wish; a file whose doc has **Preconditions**, **Before / After** (run as a test),
//! **Declines when** and **Order**; a line in [`PASSES`]; near misses that must not fire.

mod broken;
mod candidate;
mod pass;
mod reason;
mod tuple_reducer;

pub mod check_once;
pub mod column_to_row;
pub mod common_subexpressions;
pub mod conditional_reduce;
pub mod dead_code;
pub mod early_exit;
pub mod fold_constants;
pub mod fold_loops;
pub mod fuse_horizontal;
pub mod fuse_vertical;
pub mod group_by_reduce;
pub mod hoist;
pub mod pair_steps;
pub mod predicate;
pub mod reduce_by_rows;
pub mod select_sorted;
pub mod share_tables;
pub mod simplify;
pub mod split_state;
pub mod struct_of_arrays;
pub mod unroll;
pub mod unswitch;

pub use broken::Broken;
pub use pass::{Changed, Cx, Options, Pass};

use self::pass::Settled;
use self::reason::Reason;
use crate::analysis::assumptions;
use crate::analysis::rounding;
use crate::analysis::scans;
use crate::analysis::structure::{self, Structure};
use crate::analysis::windows::{self, Window};
use crate::constants::{self, Constant};
use crate::ir::{FixedOrder, Loc, Op, Program, verify};
use crate::report::{Counted, Known, Left, Report, RewriteLimit, RowsAround};

impl Pass {
    /// The pass of this name.
    pub fn named(name: &str) -> Option<&'static Pass> {
        PASSES.iter().find(|pass| pass.name == name)
    }
}

/// Every pass: those of a round, in their order, and then those that run once, when nothing changes any more.
pub const PASSES: &[Pass] = &[
    simplify::PASS,
    fold_constants::PASS,
    fold_loops::PASS,
    split_state::PASS,
    common_subexpressions::PASS,
    unroll::PASS,
    dead_code::PASS,
    fuse_vertical::PASS,
    fuse_horizontal::PASS,
    group_by_reduce::PASS,
    conditional_reduce::PASS,
    share_tables::PASS,
    struct_of_arrays::PASS,
    predicate::PASS,
    hoist::PASS,
    pair_steps::PASS,
    column_to_row::PASS,
    reduce_by_rows::PASS,
    early_exit::PASS,
    select_sorted::PASS,
    unswitch::PASS,
    check_once::PASS,
];

/// How many of them run once.
const ONCE: usize = 5;

/// The passes of which some rewrites wait until nothing changes any more.
const WAITING: [&str; 2] = [fuse_vertical::PASS.name, pair_steps::PASS.name];

/// What cleans up after those that run once.
const CLEANING: [Pass; 4] =
    [fold_constants::PASS, simplify::PASS, common_subexpressions::PASS, dead_code::PASS];

/// What runs when constants are bound: nothing that moves work from one loop to another.
const KNOWING: [Pass; 6] = [
    simplify::PASS,
    fold_constants::PASS,
    fold_loops::PASS,
    common_subexpressions::PASS,
    unroll::PASS,
    dead_code::PASS,
];

/// How many rounds are made at most. Each round that changes something brings the program nearer to a
/// fixpoint; the bound is there for the case of two rules that undo each other.
const MAX_ROUNDS: usize = 64;

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
pub fn optimize(program: &mut Program, options: &Options) -> Result<Report<Loc>, Broken> {
    optimize_with(program, options, |_, _, _| {})
}

/// As [`optimize`], showing the program after each run of a pass, and whether the pass changed it.
///
/// # Errors
/// As [`optimize`].
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
    let (rounds, once) = PASSES.split_at(PASSES.len() - ONCE);
    let mut seen = vec![None; rounds.len()];
    let mut stopped = false;
    cx.settled = Settled::No { waits: false };
    let run = |pass: &Pass, program: &mut Program, cx: &mut Cx| match verification {
        Verification::AfterEachPass => run_pass(pass, program, cx),
        Verification::InTheEnd => Ok(run_unverified(pass, program, cx)),
    };
    'rounds: for _ in 0..MAX_ROUNDS {
        let changes_before = changes;
        for (pass, seen) in rounds.iter().zip(&mut seen) {
            if *seen == Some(changes) {
                continue;
            }
            let changed = run(pass, program, &mut cx)?;
            show(pass, changed, program);
            if changed == Changed::Yes {
                changes += 1;
                stopped = options.stop_after.is_some_and(|last| last.name == pass.name);
                if stopped {
                    break 'rounds;
                }
            } else {
                *seen = Some(changes);
            }
        }
        if changes != changes_before {
            cx.unsettle();
        } else if let Settled::No { waits: true } = cx.settled {
            cx.settled = Settled::default();
            for (pass, seen) in rounds.iter().zip(&mut seen) {
                if WAITING.contains(&pass.name) {
                    *seen = None;
                }
            }
        } else {
            break;
        }
    }
    refuse_iterations(program, &mut cx);
    (cx.report.loops.before, cx.report.materialized.before) = (before.loops, before.materialized);
    let knows = !options.constants.is_empty();
    program.fixed_order = if knows { order_once(program, once, run)? } else { None };
    let is_told_first = program.fixed_order.is_some();
    if is_told_first {
        know(program, options, stopped, &mut cx, run, &mut show)?;
    }
    let (mut stored, mut loops) = (structure::stored(program), structure::loops(program));
    for pass in once {
        let before = is_told_first.then(|| (program.clone(), cx.clone()));
        if stopped || run(pass, program, &mut cx)? == Changed::No {
            continue;
        }
        if let Some(before) = before.filter(|_| rounding::is_cut_otherwise(program)) {
            (*program, cx) = before;
            continue;
        }
        show(pass, Changed::Yes, program);
        stopped = options.stop_after.is_some_and(|last| last.name == pass.name);
        if !stopped {
            until_unchanged(&CLEANING, program, &mut cx, &run, &mut show)?;
        }
    }
    if knows && !is_told_first {
        program.fixed_order = Some(rounding::order_of(program));
        know(program, options, stopped, &mut cx, run, &mut show)?;
        (stored, loops) = (structure::stored(program), structure::loops(program));
    }
    // Of what runs in the end, after all passes: it is decided by who runs it.
    for Window { made, behind, ahead, at, .. } in windows::of(program) {
        stored.retain(|(value, _)| !made.contains(value));
        cx.report.windows.push(RowsAround { at, behind, ahead });
    }
    for scan in scans::of(program) {
        stored.retain(|(value, _)| !scan.is_transient(*value));
        loops.retain(|(results, _)| !scan.takes(results));
    }
    let loops: Vec<Left> = loops.into_iter().map(|(_, left)| left).collect();
    cx.report.loops.after = loops.len();
    cx.report.materialized.after = stored.len();
    cx.report.stored = stored.into_iter().map(|(_, stored)| stored).collect();
    cx.report.left = Counted { stored: cx.report.stored.clone(), loops, windows: cx.report.windows.clone() };
    if stopped || cx.is_empty() {
        cx.report.stopped = Some(RewriteLimit { rewrites: cx.rewrites, pass: cx.last });
    }
    Ok(cx.report)
}

/// The order of floats that the program has behind the passes that run once, if these cut no other loops into chunks: then constants come
/// before them, as they hide from other passes what is known.
fn order_once(
    program: &Program,
    once: &[Pass],
    run: impl Fn(&Pass, &mut Program, &mut Cx) -> Result<Changed, Broken>,
) -> Result<Option<FixedOrder>, Broken> {
    let mut plain = program.clone();
    for pass in once {
        if run(pass, &mut plain, &mut Cx::default())? == Changed::Yes {
            until_unchanged(&CLEANING, &mut plain, &mut Cx::default(), &run, &mut |_, _, _| {})?;
        }
    }
    let order = rounding::order_of(&plain);
    plain.fixed_order = Some(rounding::order_of(program));
    Ok((!rounding::is_cut_otherwise(&plain)).then_some(order))
}

/// Puts the constants in place of their parameters, and what follows from them, unless the optimiser was told to stop before, or it would show
/// in how the program is cut.
fn know(
    program: &mut Program,
    options: &Options,
    stopped: bool,
    cx: &mut Cx,
    run: impl Fn(&Pass, &mut Program, &mut Cx) -> Result<Changed, Broken>,
    show: &mut impl FnMut(&Pass, Changed, &Program),
) -> Result<(), Broken> {
    let told = |constant: &Constant| Known {
        name: constant.name.clone(),
        value: Some(constant.shown(program)),
        at: constant.at,
    };
    cx.report.constants = options.constants.iter().map(told).collect();
    constants::bind(program, &options.constants);
    let bound = (program.clone(), cx.clone());
    if !stopped {
        until_unchanged(&KNOWING, program, cx, &run, show)?;
    }
    if rounding::is_cut_otherwise(program) {
        (*program, *cx) = bound;
    }
    Ok(())
}

/// Runs `passes`, one after the other, until none changes anything any more.
fn until_unchanged(
    passes: &[Pass],
    program: &mut Program,
    cx: &mut Cx,
    run: &impl Fn(&Pass, &mut Program, &mut Cx) -> Result<Changed, Broken>,
    show: &mut impl FnMut(&Pass, Changed, &Program),
) -> Result<(), Broken> {
    for _ in 0..MAX_ROUNDS {
        let mut changes = false;
        for pass in passes {
            let changed = run(pass, program, cx)?;
            show(pass, changed, program);
            changes |= changed == Changed::Yes;
        }
        if !changes {
            break;
        }
    }
    Ok(())
}

/// Says of each `iterate`, which a `fold` may have become, that it is no loop to fuse or to split.
fn refuse_iterations(program: &Program, cx: &mut Cx) {
    let Some(entry) = program.entry else { return };
    cx.pass = "iterate";
    program.for_each_stmt(entry, &mut |stmt| {
        if let Op::Iterate { .. } = stmt.op {
            let reason =
                Reason::new("each step needs the state of the one before, so they run one after another");
            cx.refuse("in order", reason, stmt.loc, None);
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
