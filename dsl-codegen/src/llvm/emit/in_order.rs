//! Loops whose first iterations are folded in order, besides filling the lanes.

use weldment_runtime::context::ROW_STRIP;

use super::func::{Func, Val};
use crate::llvm::error::EngineError;
use crate::loops::Loop;

impl Func<'_, '_> {
    /// Runs `inner`, of which a `few` iterations are folded in order. Behind it, its accumulators have one lane.
    pub(super) fn run_in_order(&mut self, inner: &Loop, few: u32, extent: &str) -> Result<(), EngineError> {
        let [full, rest, done] = [(); 3].map(|()| self.text.label());
        self.each_accumulator(inner, |this, accumulator, _| {
            for leaf in &mut accumulator.leaves {
                let element = leaf.element();
                let sum = this.text.alloca(element);
                let neutral = this.constant(leaf.leaf.neutral, 1);
                this.text.line(format_args!("store {element} {neutral}, ptr {sum}"));
                leaf.in_order = Some(sum);
            }
        });
        self.starts.insert(inner.index, "0".to_owned());
        self.counted("0", extent, |this, i| {
            let go = this.text.label();
            let is_full = this.text.def(format_args!("icmp eq i64 {i}, {few}"));
            this.text.branch(&is_full, &full, &go);
            this.text.begin(&go);
            this.bind(inner.index, Val::one(i));
            this.block(&inner.body)
        })?;
        self.text.begin(&full);
        let mut sums = Vec::new();
        self.each_accumulator(inner, |_, accumulator, _| {
            sums.extend(accumulator.leaves.iter_mut().map(|leaf| leaf.in_order.take()));
        });
        let goes_on = self.text.def(format_args!("icmp sgt i64 {extent}, {few}"));
        self.text.branch(&goes_on, &rest, &done);
        self.text.begin(&rest);
        let few = few.to_string();
        self.starts.insert(inner.index, few.clone());
        self.in_strips(&few, extent, ROW_STRIP, |this, lo, hi| this.run_range(inner, lo, hi))?;
        let mut sums = sums.into_iter().flatten();
        self.each_accumulator(inner, |this, accumulator, _| {
            let total = this.fold_lanes(accumulator);
            for (leaf, total) in accumulator.leaves.iter_mut().zip(total.leaves) {
                let Some(sum) = sums.next() else { continue };
                this.text.line(format_args!("store {} {total}, ptr {sum}", leaf.element()));
                (leaf.lanes, leaf.leaf.lanes) = (sum, 1);
            }
        });
        self.text.begin(&done);
        Ok(())
    }
}
