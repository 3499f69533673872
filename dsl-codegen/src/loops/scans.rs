//! Scans whose columns run apart, as [`Schedule`](super::Schedule)s name them.

use std::fmt;

use weldment_core::analysis::scans::Scan;
use weldment_core::ir::Value;

/// So many columns run together: what they hand from row to row stays in the first cache.
pub(super) const SCANNED_COLUMNS: u64 = 512;

/// What is known of a scan along rows of columns that all have one index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scanned {
    /// How many rows are wanted: there are none if that is 0, and one at least if it is not.
    pub rows: Value,
    /// The number of the row at hand, in a step.
    pub row: Value,
    /// How many columns there are.
    pub columns: Value,
    /// Whether rows come in reverse order, so that the first one is put last.
    pub upwards: bool,
}

impl Scanned {
    /// The scan, if its columns have one index, and so have the scans that a loop may make.
    pub(super) fn of(scan: &Scan) -> Option<Scanned> {
        let [columns] = scan.columns[..] else { return None };
        let upwards = scan.copied.is_some();
        (scan.scans.len() <= 1).then_some(Scanned { rows: scan.rows, row: scan.row, columns, upwards })
    }
}

impl fmt::Display for Scanned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Scanned { rows, row, columns, upwards } = self;
        write!(f, "{columns}, row {row} of {rows}{}", if *upwards { " upwards" } else { "" })
    }
}
