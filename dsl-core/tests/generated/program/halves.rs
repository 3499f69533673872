//! Floats of 16 bits, and what is read of them.

use weldment_runtime::lang::half::Half;
use weldment_runtime::lang::types::{Scalar, Type};

use super::Generator;

impl Generator<'_> {
    /// A type of floats of 16 bits.
    pub(super) fn half_ty(&mut self) -> Type {
        Type::half(self.tape.of(&Half::ALL))
    }

    /// One as a literal.
    pub(super) fn half_literal(&mut self, half: Half) -> String {
        let number = self.scalar_literal(Scalar::F32);
        self.spell.cast(half.name(), &number)
    }

    /// A number that is rounded to one.
    pub(super) fn half(&mut self, half: Half) -> String {
        let from =
            self.tape.of(&[Scalar::F32, Scalar::F64, Scalar::I64, Scalar::U8, Scalar::I128, Scalar::Bool]);
        let x = self.expr(&Type::Scalar(from));
        self.spell.cast(half.name(), &x)
    }

    /// A float that is read of one.
    pub(super) fn of_half(&mut self, to: Scalar) -> String {
        let ty = self.half_ty();
        let stored = self.expr(&ty);
        self.spell.cast(to.name(), &stored)
    }
}
