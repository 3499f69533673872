//! The parts of a split nest that join results: totals of a piece, and the state of a unit, into the total.

use weldment_runtime::types::{Scalar, Type};

use super::super::func::Func;
use super::{Parts, captures_one};
use crate::llvm::error::EngineError;
use crate::llvm::layout::LeafKind;
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
            let own = captures_one(&store.kind).then(|| captured.next().expect("as many as were packed"));
            match (&store.kind, own) {
                (StoreKind::Collect { ty, length: Length::AtMost | Length::Unknown(_) }, _) => {
                    part.append(ty, &total, &state)
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

    /// Appends the growing block of a state to that of the total, which takes over the first one as it is.
    fn append(&mut self, ty: &Type, total: &str, state: &str) {
        let [to, len, capacity] =
            [("ptr", 0), ("i64", 8), ("i64", 16)].map(|(llvm, offset)| self.load_word(total, llvm, offset));
        let [from, more, room] =
            [("ptr", 0), ("i64", 8), ("i64", 16)].map(|(llvm, offset)| self.load_word(state, llvm, offset));
        let is_first = self.text.def(format_args!("icmp eq i64 {len}, 0"));
        let [first, again, grow, copy, done] = [(); 5].map(|()| self.text.label());
        self.text.branch(&is_first, &first, &again);
        self.text.begin(&first);
        self.store_words(total, &[("ptr", &from), ("i64", &more), ("i64", &room)]);
        self.text.jump(&done);
        self.text.begin(&again);
        let sum = self.text.def(format_args!("add i64 {len}, {more}"));
        let is_short = self.text.def(format_args!("icmp sgt i64 {sum}, {capacity}"));
        let before = self.text.current();
        self.text.branch(&is_short, &grow, &copy);
        self.text.begin(&grow);
        let double = self.text.def(format_args!("shl i64 {capacity}, 1"));
        let larger = self.intrinsic("llvm.smax.i64", "i64", &[("i64", &double), ("i64", &sum)]);
        let grown = self.regrow(ty, &to, &len, &larger);
        let after = self.text.current();
        self.text.begin(&copy);
        let block = self.text.def(format_args!("phi ptr [ {to}, {before} ], [ {grown}, {after} ]"));
        let capacity = self.text.def(format_args!("phi i64 [ {capacity}, {before} ], [ {larger}, {after} ]"));
        let place = self.element(&block, &len, ty);
        self.copy(ty, &place, &from, &more);
        self.call("weldment_release", &["%frame", &from]);
        self.store_words(total, &[("ptr", &block), ("i64", &sum), ("i64", &capacity)]);
        self.text.begin(&done);
    }
}
