//! What the optimizer did, what it refused to do and why, and what the program is taken to promise.

use crate::ir::{BodyId, Loc, Op, Program, ReduceOp, Reducer, SinkKind};

/// The account of one run of the optimizer.
///
/// ```
/// # use weldment_core::front::from_text;
/// # use weldment_core::ir::*;
/// # use weldment_core::passes::*;
/// let mut program = from_text("|v: &[f64]| (v.map(|x| x * x).sum(), v.sum())").unwrap().program;
/// let report = optimize(&mut program, &Options::default())?;
/// assert_eq!((report.loops_before, report.loops_after), (3, 1));
/// assert_eq!((report.materialized_before, report.materialized_after), (1, 0));
/// # Ok::<(), Broken>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Loops before: every `loop` with index variables, and every `for`.
    pub loops_before: usize,
    /// Loops after.
    pub loops_after: usize,
    /// Intermediates before: collect, bucket and scatter sinks whose value is not part of the result.
    pub materialized_before: usize,
    /// Intermediates after.
    pub materialized_after: usize,
    /// What was fused, in the order it was done.
    pub fused: Vec<Fused>,
    /// What was refused in the end.
    pub refused: Vec<Refused>,
    /// What the program as it was written is taken to promise.
    pub assumed: Vec<Assumed>,
}

/// A fusion that was done.
///
/// ```
/// # use weldment_core::front::from_text;
/// # use weldment_core::ir::*;
/// # use weldment_core::passes::*;
/// let mut program = from_text("|v: &[f64]| (v.sum(), v.max())").unwrap().program;
/// let fused = optimize(&mut program, &Options::default())?.fused;
/// assert_eq!((fused[0].pass, fused[0].rule), ("fuse-horizontal", "siblings"));
/// # Ok::<(), Broken>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fused {
    /// By which pass.
    pub pass: &'static str,
    /// By which rule: `push`, `pull`, `branch` and `count` of `fuse-vertical`, `siblings` of `fuse-horizontal`.
    pub rule: &'static str,
    /// The consumer, or the second of two siblings.
    pub loc: Loc,
}

/// A fusion that was possible at first sight, and was not done; or what runs in order, and so is no loop to fuse.
///
/// ```
/// # use weldment_core::front::from_text;
/// # use weldment_core::ir::*;
/// # use weldment_core::passes::*;
/// let mut program = from_text("|v: &[i32]| v.fold(1.0, |acc, x| acc / 2.0 + x as f64)").unwrap().program;
/// let refused = optimize(&mut program, &Options::default())?.refused;
/// assert_eq!(refused[0].rule, "in order"); // each step needs the one before
/// # Ok::<(), Broken>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// By which pass.
    pub pass: &'static str,
    /// By which rule.
    pub rule: &'static str,
    /// Why not, in words for users.
    pub reason: &'static str,
    /// The consumer, or the second of two siblings.
    pub loc: Loc,
}

/// What a program is taken to promise, and no compiler can check: that a function of `fold` is associative.
///
/// Where the accumulator and the elements are of one type, a `fold` whose function is not seen to add, multiply, or take
/// the lesser or greater, folds pieces of a long loop apart, and then their results.
///
/// ```
/// # use weldment_core::front::from_text;
/// # use weldment_core::ir::*;
/// # use weldment_core::passes::*;
/// let assumed = |text: &str| {
///     let mut program = from_text(text).unwrap().program;
///     optimize(&mut program, &Options::default()).map(|report| report.assumed.len())
/// };
/// assert_eq!(assumed("|v: &[f64]| v.fold(0.0, |a, x| a * 0.5 + x)")?, 1);
/// assert_eq!(assumed("|v: &[f64]| v.fold(0.0, |a, x| a + x * 0.5)")?, 0); // a sum
/// assert_eq!(assumed("|v: &[f64]| v.fold((0.0,), |a, x| (a.0 * 0.5 + x,)).0")?, 0); // in order
/// # Ok::<(), Broken>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumed {
    /// What, and how to write a program that needs no such promise.
    pub what: &'static str,
    /// The `fold`.
    pub loc: Loc,
}

/// Of each fold by a function: a `reduce` says by its name that it is associative, and has no initial value.
pub(super) fn assumptions(program: &Program) -> Vec<Assumed> {
    let what = "taken as associative: the accumulator and the elements are of one type, so the function folds pieces of a \
                long vector, and then the results of those; to keep the order of a sequential fold give the accumulator \
                another type, e.g. `v.fold((init,), |acc, x| (f(acc.0, x),)).0`";
    let mut assumed = Vec::new();
    let Some(entry) = program.entry else { return assumed };
    program.for_each_stmt(entry, &mut |stmt| {
        let Op::Loop(looped) = &stmt.op else { return };
        for decl in &looped.sinks {
            if let SinkKind::Reduce { reducer: Reducer::Func(body), init: Some(_), .. } = decl.kind
                && !is_operator(program, body)
            {
                assumed.push(Assumed { what, loc: decl.loc });
            }
        }
    });
    assumed
}

/// Whether a function of two values is one of the operators, as where a fold that takes the least begins with a NaN.
fn is_operator(program: &Program, body: BodyId) -> bool {
    let body = &program.bodies[body];
    match &body.stmts[..] {
        [only] => match only.op {
            Op::Binary(op, a, b) => {
                body.params == [a, b] && ReduceOp::ALL.iter().any(|reduce| reduce.binary() == op)
            }
            _ => false,
        },
        _ => false,
    }
}
