//! What the runtime is told of tables that hold keys and values packed.

use weldment_core::ir::Loc;

use crate::imp::{Combine, Ordering, Packing, StoreId, Strategy};
use crate::llvm::print::builder::Operand;
use crate::llvm::print::func::Func;
use crate::llvm::runtime::calls::{EXACT, IN_LOOP, LAST, SUM};

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
        let is_sum = matches!(of.strategy, Strategy::Small { packing: Some(Packing { sum: true, .. }) });
        let flags = held | if is_sum { SUM } else { 0 } | if in_loop { IN_LOOP } else { 0 };
        [format!("@{name}"), flags.to_string()]
    }
}
