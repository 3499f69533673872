//! What the loops written by hand have in common: pieces that the threads share.

use std::ops::Range;

use rayon::prelude::*;

/// The rows of a piece where a row takes about as long as its way from memory.
pub(crate) const PIECE: usize = 1 << 16;

/// `0..rows` in pieces.
pub(crate) fn pieces(rows: usize, piece: usize) -> impl IndexedParallelIterator<Item = Range<usize>> {
    (0..rows.div_ceil(piece)).into_par_iter().map(move |i| i * piece..rows.min((i + 1) * piece))
}
