//! Where the pieces and units of a loop lie, and how much of it is under way at a time.
//!
//! What a unit comes to waits for the units before it, one of which may take very long. So that a loop of any length needs
//! little memory, units have [`UNIT_PIECES`] pieces at most, or [`TOTALS_PIECES`] where they are cheap to begin, and units
//! run in *waves*: those of a wave have all come to their end, and nothing waits any more, before the next one begins. Loops
//! of ordinary length are one wave.

use std::ops::Range;

use super::{Plan, Unit};
use crate::context::Context;

/// A loop that is split runs at least this many pieces, except where tests force it: below, waking another
/// thread costs more than it saves.
const PARALLEL_PIECES: usize = 8;

/// The iterations of a short unit.
pub(super) const SHORT: usize = 1 << 16;

/// Units per thread, where the driver chooses: enough to even out pieces of unequal cost.
pub(super) const UNITS_PER_THREAD: usize = 8;

/// The most pieces of a unit with a state, where the driver chooses.
pub(super) const UNIT_PIECES: usize = 1 << 12;

/// The most pieces of a unit without one. There is nothing to begin or to merge, so that many units cost no more than few.
pub(super) const TOTALS_PIECES: usize = 1 << 6;

/// The most pieces of a wave, unless these are too few units for all threads: that many totals may wait.
const WAVE_PIECES: usize = 1 << 12;

/// The least units of a wave whose number is given by the loop: all segments of the rule, which are 65 at most, are one wave,
/// and short units, of whose states few are kept, are many.
const GIVEN_UNITS: usize = 1 << 8;

/// A loop, cut: iterations in all, per piece and per unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) n: usize,
    pub(super) piece: usize,
    pub(super) unit: usize,
    pub(super) threads: usize,
    /// The units of a wave.
    pub(super) wave: usize,
}

/// Where the pieces and units lie, and how many threads share them.
pub(super) fn cut(cx: &Context, n: i64, plan: Plan) -> Cut {
    let testing = &cx.options.testing;
    let n = usize::try_from(n).unwrap_or(0);
    // No longer than planned: what a piece sums up in may hold no more.
    let piece = testing.piece.map_or(plan.piece, |piece| piece.min(plan.piece)).clamp(1, 1 << 62) as usize;
    let pieces = n.div_ceil(piece);
    let segment = match plan.unit {
        Unit::Any | Unit::Totals | Unit::Short => None,
        Unit::Segment(iterations) => {
            let iterations =
                testing.segment.or(iterations).map_or((1 << 18).max(n / 64), |given| given as usize);
            Some(iterations.max(1).div_ceil(piece).saturating_mul(piece))
        }
    };
    let splittable = match testing.force_parallel {
        true => 2,
        false => PARALLEL_PIECES,
    };
    let threads = if pieces < splittable || segment.is_some_and(|segment| segment >= n) {
        1
    } else {
        cx.threads().clamp(1, pieces)
    };
    let least = threads.saturating_mul(UNITS_PER_THREAD);
    let unit = match segment {
        Some(segment) => segment,
        None if threads == 1 => pieces.saturating_mul(piece).max(piece),
        None if testing.force_parallel => piece,
        None => {
            let most = match plan.unit {
                Unit::Short => (SHORT / piece).max(1),
                Unit::Totals => (WAVE_PIECES / least).clamp(UNITS_PER_THREAD, TOTALS_PIECES),
                Unit::Any | Unit::Segment(_) => UNIT_PIECES,
            };
            pieces.div_ceil(least).min(most) * piece
        }
    };
    let wave = match plan.unit {
        Unit::Any | Unit::Totals => least.max(WAVE_PIECES / (unit / piece).max(1)),
        Unit::Short | Unit::Segment(_) => least.max(GIVEN_UNITS),
    };
    Cut { n, piece, unit, threads, wave }
}

impl Cut {
    /// The number of units.
    pub(super) fn units(self) -> usize {
        self.n.div_ceil(self.unit)
    }

    /// The iterations of a unit.
    pub(super) fn unit(self, unit: usize) -> Range<usize> {
        let start = unit * self.unit;
        start..self.n.min(start.saturating_add(self.unit))
    }

    /// The iterations of a piece.
    pub(super) fn piece_at(self, number: usize) -> Range<usize> {
        let start = number * self.piece;
        start..self.n.min(start + self.piece)
    }

    /// The pieces of a unit.
    pub(super) fn pieces(self, unit: Range<usize>) -> impl ExactSizeIterator<Item = Range<usize>> {
        (0..unit.len().div_ceil(self.piece)).map(move |i| {
            let start = unit.start + i * self.piece;
            start..unit.end.min(start + self.piece)
        })
    }
}
