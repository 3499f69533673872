//! Linear probing in compiled code, as the runtime's `table/probe.rs` does it: one loop for all that is searched.
//!
//! ```text
//!        first = hash & mask
//! probe: place = phi first, after
//!        ... br found, or missing, or next
//! next:  after = (place + 1) & mask; br probe
//! ```

use std::mem::offset_of;

use weldment_runtime::store::table::open::Places as OpenPlaces;

use crate::llvm::print::builder::{Label, Operand};
use crate::llvm::print::func::Func;

/// Places in memory, a power of two of them.
pub(super) struct Places {
    pub(super) start: Operand,
    /// 1 less than how many there are.
    pub(super) mask: Operand,
    /// The bytes of each.
    pub(super) size: u64,
}

impl Func<'_, '_> {
    /// Those of an open index, which `table` shows at `field`.
    pub(super) fn places<E>(&mut self, table: &str, field: usize) -> Places {
        let fields = [("ptr", offset_of!(OpenPlaces<E>, start)), ("i64", offset_of!(OpenPlaces<E>, mask))];
        let [start, mask] = fields.map(|(llvm, offset)| self.load_word(table, llvm, (field + offset) as u64));
        Places { start, mask, size: size_of::<E>() as u64 }
    }

    /// Goes from place to place, from the one that `hash` names on. `look` ends the block of a place, which is given where it is, and
    /// goes on at `next` where the search does. Gives the number of the place at which it did not, and where that is.
    pub(super) fn probe(
        &mut self,
        places: &Places,
        hash: &str,
        look: impl FnOnce(&mut Self, &Operand, &Label),
    ) -> [Operand; 2] {
        let Places { start, mask, size } = places;
        let first = self.text.def(format_args!("and i64 {hash}, {mask}"));
        let before = self.text.current();
        let [probe, next] = [(); 2].map(|()| self.text.label());
        let [place, after] = [(); 2].map(|()| self.text.reserve());
        self.text.begin(&probe);
        self.text.line(format_args!("{place} = phi i64 [ {first}, {before} ], [ {after}, {next} ]"));
        let at =
            self.text.def(format_args!("getelementptr inbounds [{size} x i8], ptr {start}, i64 {place}"));
        look(self, &at, &next);
        self.text.begin(&next);
        let beside = self.text.def(format_args!("add i64 {place}, 1"));
        self.text.line(format_args!("{after} = and i64 {beside}, {mask}"));
        self.text.jump(&probe);
        [place, at]
    }
}
