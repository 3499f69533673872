//! Merging into tables of words, which become tables of entries in the end.

use weldment_runtime::lang::fault::Fault;
use weldment_runtime::mem::vec::filled;

use super::table::{KeyShape, Sizes, Table};
use super::words::{Plan, Rows};
use crate::llvm::memory::Run;

impl Table {
    /// An empty table of words, which are merged as `plan` says.
    pub(super) fn with_plan(
        run: &Run<'_>,
        shape: KeyShape,
        sizes: Sizes,
        plan: Plan,
    ) -> Result<Table, Fault> {
        let mut table = Table::new(run, shape, sizes, &[])?;
        let mut rows = plan.rows(sizes.value.div_ceil(size_of::<u64>()));
        table.open = rows.open(run.context);
        (table.plan, table.rows) = (Some(plan), Some(rows));
        Ok(table)
    }

    /// Does something with a table of words, and shows compiled code what has come of it.
    fn with_rows(
        &mut self,
        run: &Run<'_>,
        work: impl FnOnce(&mut dyn Rows) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let Some(rows) = &mut self.rows else {
            unreachable!("compiled code knows which tables are of words")
        };
        let done = work(&mut **rows);
        self.open = rows.open(run.context);
        done
    }

    /// Merges a value, for which there is no room that compiled code knows, under the key with these `words`; for a table of words, as
    /// are the next two.
    pub(crate) fn add(&mut self, run: &Run<'_>, words: &[u64], value: &[u64]) -> Result<(), Fault> {
        self.with_rows(run, |rows| rows.add(run.context, words, value))
    }

    /// Told that up to so many merges come.
    pub(crate) fn expect(&mut self, run: &Run<'_>, merges: u64) -> Result<(), Fault> {
        self.with_rows(run, |rows| rows.expect(run.context, merges as usize))
    }

    /// Merges `from`, which is of the next segment.
    pub(crate) fn merge(&mut self, run: &Run<'_>, from: &mut Table) -> Result<(), Fault> {
        let next = from.rows.take();
        self.with_rows(run, |rows| next.map_or(Ok(()), |next| rows.merge(run.context, next)))
    }

    /// Makes of a table of words one of entries, with an index if it is going to be searched.
    pub(super) fn finalize(&mut self, run: &Run<'_>, is_searched: bool) -> Result<(), Fault> {
        let (Some(rows), Some(plan)) = (self.rows.take(), &self.plan) else { return Ok(()) };
        let (words, values) = rows.into_columns(run.context)?;
        let (key_words, Sizes { key, value }) = (plan.key_words, self.sizes());
        let len = words.len() / key_words;
        let value_words = value.div_ceil(8);
        let values = match value % 8 {
            0 => values,
            _ => packed(run, len, value, |at, entry| {
                let from: *const u64 = &values[entry * value_words];
                // SAFETY: a value has that size, and so has its place.
                unsafe { at.copy_from_nonoverlapping(from.cast(), value) }
            })?,
        };
        let unpacked = match plan.is_plain {
            true => None,
            false => Some(packed(run, len, key, |at, entry| {
                let words = &words[entry * key_words..][..key_words];
                // SAFETY: the place has the size of a key.
                plan.leaves.iter().for_each(|leaf| unsafe { leaf.unpack(words, at) });
            })?),
        };
        self.len = len as u64;
        if is_searched {
            self.index_all(run, &words, key_words)?;
        }
        self.keys = run.adopt(unpacked.unwrap_or(words));
        self.values = run.adopt(values);
        Ok(())
    }
}

/// `len` elements of `size` bytes, each of which `fill` writes.
fn packed(run: &Run<'_>, len: usize, size: usize, fill: impl Fn(*mut u8, usize)) -> Result<Vec<u64>, Fault> {
    let words = (len * size).div_ceil(8);
    let mut block = filled(run, words, 0u64)?;
    let start = block.as_mut_ptr().cast::<u8>();
    (0..len).for_each(|entry| fill(start.wrapping_add(entry * size), entry));
    Ok(block)
}
