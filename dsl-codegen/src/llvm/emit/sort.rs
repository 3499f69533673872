//! Sorts: a function that the runtime calls with two elements, or with one for its key.

use weldment_core::ir::Value;

use super::func::{Func, Val};
use crate::llvm::error::EngineError;
use crate::llvm::layout::{Layout, leaves};
use crate::loops::{Order, facts};

impl Func<'_, '_> {
    pub(super) fn sort(&mut self, result: Value, vector: Value, order: &Order) -> Result<(), EngineError> {
        let ty = self.ty(vector).element().expect("the verifier has seen to it");
        let (captured, constants) =
            self.constants_apart(&facts::free_values(order.body(), order.params(), |_| false));
        let captures = self.pack(&captured, &[]);
        let (about, params) = match order {
            Order::Comparator(_) => ("comparator", "ptr %a, ptr %b, ptr %to"),
            Order::Key(_) => ("key", "ptr %a, ptr %to"),
        };
        let name = self.module.function_name(about);
        let header = format!(
            "define internal i32 @{name}(ptr %frame, ptr noalias readonly %captures, {params}) nounwind"
        );
        let mut inner = Func::new(self.module, header);
        inner.unpack(&captured, &[]);
        inner.values.extend(constants);
        for (&param, place) in order.params().iter().zip(["%a", "%b"]) {
            let element = inner.load(ty, place);
            inner.bind(param, element);
        }
        inner.block(order.body())?;
        let by = order.body().results[0];
        let (by_ty, by) = (inner.ty(by), inner.get(by).clone());
        // A key that is part of the element is read there, without a call.
        let part = inner.get(order.params()[0]).leaves.iter().position(|leaf| *leaf == by.leaves[0]);
        inner.store(by_ty, &by, "%to");
        inner.finish();

        let val = self.get(vector).clone();
        let layout = Layout::of(ty);
        let function = format!("@{name}");
        let (size, align) = (layout.size.to_string(), layout.align.to_string());
        let args = ["%frame", &val.leaves[0], &val.leaves[1], &size, &align, &function, &captures];
        let sorted = match order {
            Order::Comparator(_) => self.call_or_null("weldment_sort", &args),
            Order::Key(key) => {
                let number = self.module.type_number(by_ty).to_string();
                let descending = i32::from(key.descending).to_string();
                let offset = part.map_or("-1".to_owned(), |part| leaves(ty)[part].offset.to_string());
                let about_key = [&number[..], &descending, &offset];
                self.call_or_null("weldment_sort_by_key", &[&args[..], &about_key].concat())
            }
        };
        self.bind(result, Val::scalar(vec![sorted, val.leaves[1].clone()]));
        Ok(())
    }
}
