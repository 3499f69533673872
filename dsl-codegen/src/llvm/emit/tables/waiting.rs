//! Tables with a plan: which they are, what the runtime is told of them, and their end.

use weldment_core::ir::{Loc, ReduceOp};
use weldment_runtime::types::{Scalar, Type};

use super::near;
use crate::llvm::emit::func::Func;
use crate::llvm::emit::text::Operand;
use crate::llvm::layout::leaves;
use crate::llvm::runtime::calls::{EXACT, IN_LOOP, LAST, SUM};
use crate::llvm::runtime::keys;
use crate::llvm::runtime::near::{MOST_WORDS, Parts};
use crate::loops::facts::for_each_step;
use crate::loops::{Index, Keyed, Step, searches};

/// The parts of the slots of such a table, if it has a plan. The words of a float do not tell which of the keys that are one
/// it was.
pub(super) fn planned(key: &Type, value: &Type, what: &Keyed, index: Index) -> Option<Parts> {
    let parts = near::parts_of(key, value)?;
    let is_planned = matches!(what, Keyed::Reduce(_) | Keyed::Last)
        && value.is_scalars()
        && index == Index::Hash
        && (1..=MOST_WORDS[0]).contains(&parts.key)
        && (1..=MOST_WORDS[1]).contains(&parts.value)
        && keys::pack(key)?.iter().all(|leaf| !leaf.scalar.is_float());
    is_planned.then_some(parts)
}

impl Func<'_, '_> {
    /// What the runtime is told of a table with a plan: how it combines values, and flags.
    pub(super) fn plan(&mut self, what: &Keyed, ty: &Type, in_loop: bool) -> [Operand; 2] {
        let name = self.module.function_name("combine");
        let header =
            format!("define internal i32 @{name}(ptr noalias %into, ptr noalias readonly %from) nounwind");
        let mut function = Func::new(self.module, header);
        let value = function.load(ty, "%from");
        function.put_at(what, ty, "%into", &value, Loc::NONE);
        function.finish();
        let held = match what {
            Keyed::Last => LAST,
            Keyed::Reduce(op) if ty.leaves().is_some_and(|all| all.iter().all(|&leaf| op.is_exact(leaf))) => {
                EXACT
            }
            _ => 0,
        };
        let is_word = |leaf: &Scalar| match held {
            EXACT => matches!(leaf, Scalar::I64 | Scalar::U64),
            _ => *leaf == Scalar::F64,
        };
        let is_sum = matches!(what, Keyed::Reduce(ReduceOp::Add))
            && ty.leaves().is_some_and(|leaves| leaves.iter().all(is_word));
        let held = held | if is_sum { SUM } else { 0 };
        let flags = held | if in_loop { IN_LOOP } else { 0 };
        [format!("@{name}"), flags.to_string()]
    }

    /// Whether (1) or not (0) the program looks a key up in a dictionary that might be of these keys and values.
    fn is_searched(&self, key: &Type, value: &Type) -> u8 {
        let program = self.module.program;
        let mut is_searched = false;
        for_each_step(&program.body, &mut |step| {
            if let Step::Bind { op, .. } = step
                && let Some((dict, _)) = searches::searched(&program.values, op)
                && let Type::Dict(of, to) = self.ty(dict)
            {
                // Types may differ in names.
                is_searched |= leaves(of) == leaves(key) && leaves(to) == leaves(value);
            }
        });
        is_searched.into()
    }

    /// Tells a table with a plan that the iterations between two come.
    pub(in crate::llvm::emit) fn expect(
        &mut self,
        key: &Type,
        value: &Type,
        what: &Keyed,
        index: Index,
        table: &str,
        [lo, hi]: [&str; 2],
    ) {
        if planned(key, value, what, index).is_some() {
            let iterations = self.text.def(format_args!("sub i64 {hi}, {lo}"));
            self.call_status("weldment_table_expect", &["%frame", table, &iterations]);
        }
    }

    /// Ends the merging into a table, or into none.
    pub(in crate::llvm::emit) fn settle(
        &mut self,
        key: &Type,
        value: &Type,
        what: &Keyed,
        index: Index,
        table: &str,
    ) {
        if planned(key, value, what, index).is_some() {
            let is_searched = self.is_searched(key, value).to_string();
            self.call_status("weldment_table_settle", &["%frame", table, &is_searched]);
        }
    }
}
