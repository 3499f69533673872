//! Texts of numbers, bools, dates, times, decimal numbers and floats of 16 bits: which function writes one follows from the type.

use weldment_runtime::lang::calendar::Temporal;
use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::types::{Name, Scalar, Type};
use weldment_runtime::lang::write::WriteFn;

use super::Lower;
use crate::ir::{Loc, Op, Value};

impl Lower {
    /// The text of `of`.
    pub(super) fn shown(&mut self, of: Value, loc: Loc) -> Value {
        if self.builder.ty(of).is_text() {
            return of;
        }
        let bytes = self.shown_bytes(of, loc);
        self.builder.push(Op::Struct(vec![bytes], Some(Name::Text.into())), loc)
    }

    /// The bytes of the text of `of`, which is none itself.
    pub(super) fn shown_bytes(&mut self, of: Value, loc: Loc) -> Value {
        let ty = self.builder.ty(of).clone();
        if let Some(scale) = ty.as_fixed() {
            let units = self.builder.push(Op::Field(of, 0), loc);
            let digits = self.builder.constant(Const::I64(scale.digits().into()), loc);
            return self.builder.push(Op::Write(WriteFn::ShownFixed, vec![units, digits]), loc);
        }
        if ty.as_half().is_some() {
            let number = self.cast(of, &Type::F32, loc);
            return self.shown_bytes(number, loc);
        }
        let (function, number) = match (ty.as_temporal(), ty.as_scalar()) {
            (Some(temporal), _) => {
                let function = match temporal {
                    Temporal::Date => WriteFn::ShownDate,
                    Temporal::Timestamp => WriteFn::ShownTimestamp,
                    Temporal::Span => WriteFn::ShownSpan,
                };
                (function, self.builder.push(Op::Field(of, 0), loc))
            }
            (None, Some(Scalar::Bool)) => {
                let [yes, no] = [&b"true"[..], b"false"].map(|word| self.bytes(word, Scalar::U8, loc));
                return self.builder.push(Op::Select(of, yes, no), loc);
            }
            (None, Some(Scalar::F32)) => (WriteFn::ShownF32, of),
            (None, Some(Scalar::F64)) => (WriteFn::ShownF64, of),
            (None, Some(Scalar::U64)) => (WriteFn::ShownU64, of),
            (None, Some(Scalar::I64)) => (WriteFn::ShownI64, of),
            (None, Some(Scalar::I128)) => (WriteFn::ShownI128, of),
            // Smaller integers are the same number as an i64.
            _ => (WriteFn::ShownI64, self.builder.push(Op::Cast(Scalar::I64, of), loc)),
        };
        self.builder.push(Op::Write(function, vec![number]), loc)
    }
}
