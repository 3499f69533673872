//! What the optimizer did, and what it refused to do and why.

use crate::ir::Loc;

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
