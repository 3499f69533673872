//! Loops that do nothing but compute scalars and merge one of them into a vector by index: some rows at a time, so that none need wait
//! to see whether the one before it goes to the same place. Where an index has no place, all of them are computed again, so that nothing is
//! kept in registers for that.
//!
//! ```text
//! prefetch
//! %a0 = …, %a1 = …                    ; the indices and values of all rows
//! br i1 %outside, label %cold, label %hot
//! cold:                               ; one of the indices is outside, and a fault says which
//!   …                                 ; the rows one by one
//! hot:
//!   …                                 ; all merges
//! ```

use super::func::{Func, Val};
use super::stores::Slot;
use crate::llvm::error::EngineError;
use crate::loops::{Loop, Merge, Step};

impl Func<'_, '_> {
    /// Runs such a loop from `lo` below `hi`, this many rows at a time.
    pub(super) fn run_rows(
        &mut self,
        inner: &Loop,
        lo: &str,
        hi: &str,
        rows: u32,
    ) -> Result<(), EngineError> {
        let middle = self.whole_blocks(lo, hi, rows);
        self.stepped(lo, &middle, u64::from(rows), |this, first| {
            this.prefetch(inner, first, rows);
            this.merge_rows(inner, first, rows)
        })?;
        self.run_one_by_one(inner, &middle, hi)
    }

    fn merge_rows(&mut self, inner: &Loop, first: &str, rows: u32) -> Result<(), EngineError> {
        let mut computed = Vec::new();
        for row in 0..rows {
            let index = self.text.def(format_args!("add nsw i64 {first}, {row}"));
            computed.push(self.row(inner, index)?);
        }
        let Some((merge, _)) = computed.first() else { return Ok(()) };
        let Some(Slot::Scatter { ty, op, block, len }) = self.slots.get(&merge.sink).cloned() else {
            return Err(EngineError::internal("rows of a loop that does not merge by index"));
        };
        let mut outside = "false".to_owned();
        for (_, [index, _]) in &computed {
            let one = self.text.def(format_args!("icmp uge i64 {}, {len}", index.leaves[0]));
            outside = self.text.def(format_args!("or i1 {outside}, {one}"));
        }
        let [cold, hot, done] = [(); 3].map(|()| self.text.label());
        self.text.branch_cold(&outside, &cold, &hot);
        self.text.begin(&cold);
        let end = self.text.def(format_args!("add nsw i64 {first}, {rows}"));
        self.run_one_by_one(inner, first, &end)?;
        self.text.jump(&done);
        self.text.begin(&hot);
        for (merge, [index, value]) in &computed {
            let place = self.element(&block, &index.leaves[0], &ty);
            self.combine_at(op, &ty, &place, value, merge.loc);
        }
        self.text.begin(&done);
        Ok(())
    }

    /// Computes what a row merges: the merge, its index and its value.
    fn row<'l>(&mut self, inner: &'l Loop, index: String) -> Result<(&'l Merge, [Val; 2]), EngineError> {
        self.bind(inner.index, Val::one(index));
        let mut merged = None;
        for step in &inner.body.steps {
            match step {
                Step::Merge(merge) => {
                    let [index, value] = [0, 1].map(|part| self.get(merge.values[part]).clone());
                    merged = Some((merge, [index, value]));
                }
                step => self.step(step)?,
            }
        }
        merged.ok_or_else(|| EngineError::internal("rows of a loop that merges nothing"))
    }
}
