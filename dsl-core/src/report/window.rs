//! Arrays that are computed a few rows at a time.

use std::fmt;

use weldment_runtime::lang::fault::Position;

/// An array that is no intermediate in memory: whoever reads it computes the rows that it reads.
///
/// ```
/// # use weldment_core::explain::*;
/// # use weldment_core::front::from_text;
/// let mut lowered = from_text(
///     "|p: array[f64, 2]| { let r = p.stencil(clamp, |c| sqrt(c[-1, 0] + c[1, 0])); r.stencil(clamp, |c| c[0, 0] + c[2, 0]) }",
/// )
/// .unwrap();
/// let report = optimise(&mut lowered.program, &lowered.positions)?.report;
/// assert_eq!((report.windows[0].behind, report.windows[0].ahead), (0, 2));
/// assert_eq!(report.materialized.after, 0);
/// # Ok::<(), weldment_core::passes::Broken>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowsAround<P = Position> {
    /// Where it is computed.
    pub at: P,
    /// How many rows before its own the reader reads.
    pub behind: u64,
    /// How many rows after its own.
    pub ahead: u64,
}

impl<P> RowsAround<P> {
    /// The same, with another place.
    pub(crate) fn at<Q>(&self, place: impl Fn(P) -> Q) -> RowsAround<Q>
    where
        P: Copy,
    {
        RowsAround { at: place(self.at), behind: self.behind, ahead: self.ahead }
    }
}

impl fmt::Display for RowsAround {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RowsAround { at, behind, ahead } = self;
        write!(f, "at {at} rows are computed where they are read, {behind} behind and {ahead} ahead")
    }
}
