//! Type erasure: what a table needs its types for is a virtual table of a few functions, and all else is monomorphised once, in this
//! crate.
//!
//! hashbrown divides its tables in the same way: `RawTableInner` takes the layout of the values and a function that hashes one.

use crate::exec::context::Context;
use crate::lang::fault::Fault;

use super::columns::{ColumnTypes, Columns};
use super::drain::Lookup;
use super::entries::{EntryRef, EntrySlice};
use super::row::RowType;
use super::write_combining::Part;

/// What partitions leave to their table's own types.
pub(crate) trait TableType: Sync {
    /// Of a merge that waits: a [`Row`](super::write_combining::Row).
    fn row(&self) -> RowType;

    /// Of a key with what is held of its values: an [`Entry`](super::entries::Entry).
    fn entry(&self) -> RowType;

    /// Of the dictionary in the end.
    fn columns(&self) -> ColumnTypes;

    /// Merges the rows of `part` into the entries of `lookup`.
    fn merge(&self, cx: &Context, lookup: &mut Lookup, part: &Part) -> Result<(), Fault>;

    /// Enters the keys of all entries into the index of `lookup`, which is empty.
    fn index(&self, lookup: &mut Lookup);

    /// Makes merges of `entries`, for which there is room in `part`, whose places are counted from its base.
    fn defer(&self, entries: EntrySlice<'_>, part: &mut Part);

    /// Writes the keys of `entries`, which are of this type, and what their values come to, from `place` on, where nothing else is
    /// written.
    fn total(&self, entries: &[EntryRef<'_>], place: usize, columns: &Columns);
}
