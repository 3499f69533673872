//! What the runtime is told of tables that hold keys and values packed.

use weldment_core::ir::Loc;
use weldment_runtime::lang::types::Type;

use crate::imp::{Combine, Ordering, Packing, StoreId, Strategy};
use crate::llvm::print::builder::Operand;
use crate::llvm::print::func::Func;
use crate::llvm::runtime::calls::{EXACT, FIRST_FLOAT, IN_LOOP, LAST, SUM};

impl Func<'_, '_> {
    /// How a table combines values, and flags.
    pub(super) fn plan(&mut self, store: StoreId, in_loop: bool) -> [Operand; 2] {
        let imp = self.module.imp;
        let of = &imp.stores[store];
        let name = self.module.function_name("combine");
        let header =
            format!("define internal i32 @{name}(ptr noalias %into, ptr noalias readonly %from) nounwind");
        let mut function = Func::new(self.module, header);
        let value = function.load(&of.item, "%from");
        function.put_at(of.combine, &of.item, "%into", &value, Loc::NONE);
        function.finish();
        let held = match (of.combine, of.ordering) {
            (Combine::Last, _) => LAST,
            (_, Ordering::Any) => EXACT,
            (_, Ordering::Segments) => 0,
        };
        let sum = match of.strategy {
            Strategy::Small { packing: Some(Packing { sum: true, .. }) } => SUM | float_words(&of.item),
            _ => 0,
        };
        let flags = held | sum | if in_loop { IN_LOOP } else { 0 };
        [format!("@{name}"), flags.to_string()]
    }
}

/// Which words of a value are floats; for one of scalars that are words.
fn float_words(value: &Type) -> i32 {
    let leaves = value.leaves().unwrap_or_default();
    let floats = leaves.iter().enumerate().filter(|(_, leaf)| leaf.is_float());
    floats.map(|(word, _)| FIRST_FLOAT << word).sum()
}
