//! Elements of fixed arrays, which are fields of a struct.

use super::Lower;
use crate::infer::typed::Expr;
use crate::ir::{CompareOp, Loc, Op, Value};

/// Of so many elements at most, the one at an index is selected of all; of more, they are stored as a vector.
const SELECTED: usize = 8;

impl Lower {
    /// The element of `array`, of so many, at `index`.
    pub(super) fn element_of_fixed(&mut self, array: Value, len: usize, index: &Expr, loc: Loc) -> Value {
        // Inference has refused constants that are not inside.
        if let Some(number) = index.constant() {
            return self.builder.push(Op::Field(array, number as u32), loc);
        }
        let index = self.value(index);
        let index = self.index(index, loc);
        let length = self.builder.constant(len as i64, loc);
        let index = self.builder.push(Op::CheckIndex(index, length), loc);
        let elements: Vec<Value> =
            (0..len as u32).map(|number| self.builder.push(Op::Field(array, number), loc)).collect();
        if len > SELECTED {
            let vector = self.builder.push(Op::Vector(elements), loc);
            return self.builder.push(Op::At(vector, index), loc);
        }
        let (&last, others) = elements.split_last().expect("an array has one element at least");
        let mut selected = last;
        for (number, &element) in others.iter().enumerate().rev() {
            let number = self.builder.constant(number as i64, loc);
            let is_there = self.builder.compare(CompareOp::Eq, index, number, loc);
            selected = self.builder.push(Op::Select(is_there, element, selected), loc);
        }
        selected
    }
}
