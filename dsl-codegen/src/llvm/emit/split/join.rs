//! The parts of a split nest that join results: totals of a piece, and the state of a unit, into the total.

use weldment_runtime::types::Scalar;

use super::super::func::Func;
use super::{Parts, captures_one};
use crate::llvm::error::EngineError;
use crate::llvm::layout::{Layout, LeafKind};
use crate::loops::{Length, Seen, StoreKind};

impl Func<'_, '_> {
    /// The function `add`.
    pub(super) fn add_part(&mut self, parts: &Parts<'_>) -> Result<String, EngineError> {
        let name = self.module.function_name(&format!("nest{}.add", parts.nest.id));
        let header = format!(
            "define internal i32 @{name}(ptr %frame, ptr noalias readonly %captures, ptr noalias %total, ptr noalias %totals) nounwind"
        );
        let mut part = Func::new(self.module, header);
        part.unpack_parts(parts);
        for (store, places) in parts.nest.stores.iter().zip(&parts.places) {
            let (total, piece) = (part.offset("%total", places.total), part.offset("%totals", places.totals));
            match &store.kind {
                StoreKind::Accumulate { op, ty, leaves, seen, .. } => {
                    let (before, more) = (part.load_totals(leaves, &total), part.load_totals(leaves, &piece));
                    let after = part.combine(*op, ty, &before, &more);
                    for (i, (leaf, operand)) in leaves.iter().zip(&after.leaves).enumerate() {
                        let at = part.offset(&total, 8 * i as u64);
                        part.store_leaf(LeafKind::Scalar(leaf.total), operand, &at);
                    }
                    if *seen == Seen::Flag {
                        let (a, b) =
                            (part.load_flag(&total, leaves.len()), part.load_flag(&piece, leaves.len()));
                        let either = part.text.def(format_args!("or i1 {a}, {b}"));
                        let at = part.offset(&total, 8 * leaves.len() as u64);
                        part.store_leaf(LeafKind::Scalar(Scalar::Bool), &either, &at);
                    }
                }
                StoreKind::Fold { ty, func, .. } => {
                    let some = part.text.def(format_args!("load i8, ptr {piece}"));
                    let is_some = part.text.def(format_args!("icmp ne i8 {some}, 0"));
                    let (more, done) = (part.text.label(), part.text.label());
                    part.text.branch(&is_some, &more, &done);
                    part.text.begin(&more);
                    let (from, to) = (part.offset(&piece, 8), part.offset(&total, 8));
                    let value = part.load(ty, &from);
                    part.fold(func, ty, &total, &to, value)?;
                    part.text.begin(&done);
                }
                _ => {}
            }
        }
        part.finish();
        Ok(name)
    }

    /// The function `merge`.
    pub(super) fn merge_part(&mut self, parts: &Parts<'_>) -> Result<String, EngineError> {
        let name = self.module.function_name(&format!("nest{}.merge", parts.nest.id));
        let header = format!(
            "define internal i32 @{name}(ptr %frame, ptr noalias readonly %captures, ptr noalias %total, ptr noalias %state) nounwind"
        );
        let mut part = Func::new(self.module, header);
        let mut captured = part.unpack_parts(parts).into_iter();
        for (store, places) in parts.nest.stores.iter().zip(&parts.places) {
            let (total, state) = (part.offset("%total", places.total), part.offset("%state", places.state));
            let own = captures_one(parts.nest, &store.kind)
                .then(|| captured.next().expect("as many as were packed"));
            match (&store.kind, own) {
                (StoreKind::Collect { length: Length::AtMost, .. }, Some(placed)) => {
                    part.call("weldment_place", &[&placed, &state]);
                }
                (StoreKind::Collect { ty, length: Length::AtMost | Length::Unknown(_) }, _) => {
                    let layout = Layout::of(ty);
                    let [size, align] = [layout.size.to_string(), layout.align.to_string()];
                    part.call("weldment_append", &["%frame", &total, &state, &size, &align]);
                }
                (StoreKind::Table { key, value, what, index }, _) => {
                    let (to, from) = (part.load_word(&total, "ptr", 0), part.load_word(&state, "ptr", 0));
                    let is_first = part.text.def(format_args!("icmp eq ptr {to}, null"));
                    let [first, again, done] = [(); 3].map(|()| part.text.label());
                    part.text.branch(&is_first, &first, &again);
                    part.text.begin(&first);
                    part.store_words(&total, &[("ptr", &from)]);
                    part.text.jump(&done);
                    part.text.begin(&again);
                    let slot = part.open_table(to, key, value, what, *index);
                    part.merge_tables(&slot, &from, parts.nest.loc)?;
                    part.text.begin(&done);
                }
                (StoreKind::Scatter { ty, op, .. }, Some(len)) => {
                    let (whole, partial) =
                        (part.load_word(&total, "ptr", 0), part.load_word(&state, "ptr", 0));
                    part.add_partial(*op, ty, &whole, &partial, &len)?;
                    part.call("weldment_release", &["%frame", &partial]);
                }
                _ => {}
            }
        }
        part.finish();
        Ok(name)
    }
}
