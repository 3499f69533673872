//! What the optimizer did, and what it refused to do and why.

use crate::ir::Loc;

/// The account of one run of the optimizer.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fused {
    /// By which pass.
    pub pass: &'static str,
    /// By which rule: `push`, `pull`, `horizontal`, …
    pub rule: &'static str,
    /// The consumer, or the second of two siblings.
    pub loc: Loc,
}

/// A fusion that was possible at first sight, and was not done; or what runs in order, and so is no loop to fuse.
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
