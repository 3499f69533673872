//! Options of scalars as they are loaded: what stands in memory behind one of no value, as Rust leaves it there, is read as zeros. Options that
//! hold vectors are not read where Rust has them, and have zeros there already.

use weldment_core::ir::Const;
use weldment_runtime::lang::types::Type;

use super::builder::Operand;
use super::func::Func;
use super::spelling::{Width, wide};
use crate::llvm::layout::{leaf_count, register};

impl Func<'_, '_> {
    /// Makes zeros of those of these leaves, loaded of a value of type `ty`, that options of no value have.
    pub(super) fn zero_values_of_none(&mut self, ty: &Type, leaves: &mut [Operand], width: Width) {
        let Type::Struct(fields) = ty else { return };
        let mut rest = &mut *leaves;
        for field in fields.iter() {
            let (of_field, behind) = rest.split_at_mut(leaf_count(field));
            self.zero_values_of_none(field, of_field, width);
            rest = behind;
        }
        let Some(scalars) = fields.as_option().and_then(Type::leaves) else { return };
        let [is_some, value @ ..] = leaves else { return };
        for (leaf, scalar) in value.iter_mut().zip(scalars) {
            let (flags, llvm) = (wide("i1", width), wide(register(scalar), width));
            let zero = self.constant(Const::from_i128(scalar, 0), width);
            *leaf = self.text.def(format_args!("select {flags} {is_some}, {llvm} {leaf}, {llvm} {zero}"));
        }
    }
}
