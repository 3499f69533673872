//! Decimal numbers, and what is made of them.

use weldment_runtime::lang::decimal::Scale;
use weldment_runtime::lang::types::{Scalar, Type};

use super::Generator;

/// How many digits there are: sums of two of them are among them.
const DIGITS: [u32; 4] = [2, 4, 0, 6];

/// Texts that are decimal numbers, or are none of few digits.
const READ: [&str; 4] = ["-12.34", "0.5", "1.00007", "abc"];

impl Generator<'_> {
    /// A type of decimal numbers.
    pub(super) fn fixed_ty(&mut self) -> Type {
        Type::fixed(scale(self.tape.of(&DIGITS)))
    }

    /// A decimal number as a literal.
    pub(super) fn fixed_literal(&mut self, scale: Scale) -> String {
        let text = self.tape.of(&["0", "-7", "12", "+3"]);
        let behind = if scale.digits() > 1 { self.tape.of(&["", ".5", ".25"]) } else { "" };
        format!("Fixed::<{}>(\"{text}{behind}\")", scale.digits())
    }

    /// A decimal number.
    pub(super) fn fixed(&mut self, of: Scale) -> String {
        let ty = Type::fixed(of);
        let digits = of.digits();
        match self.tape.pick(10) {
            0 => {
                // An i32 has no suffix in Weld's spelling, and then it is an i64 here.
                let number = self.tape.of(&[Scalar::I64, Scalar::U8, Scalar::F64, Scalar::I16]);
                format!("Fixed::<{digits}>::from({})", self.expr(&Type::Scalar(number)))
            }
            1 => format!("Fixed::<{digits}>::from_raw({})", self.expr(&Type::I64)),
            2 => format!("{}({}, {})", self.tape.of(&["min", "max"]), self.leaf(&ty), self.expr(&ty)),
            3 => format!("({} {} {})", self.expr(&ty), self.tape.of(&["+", "-"]), self.expr(&ty)),
            4 => match self.tape.of(&[0, 1]) {
                0 => format!("({} * {})", self.expr(&ty), self.leaf(&Type::I64)),
                _ => format!("({} * {})", self.leaf(&Type::I64), self.expr(&ty)),
            },
            5 if digits >= 4 => {
                let (a, b) = (Type::fixed(scale(digits - 2)), Type::fixed(scale(2)));
                format!("({} * {})", self.expr(&a), self.expr(&b))
            }
            5 => format!("(-{})", self.leaf(&ty)),
            6 => format!("{}.div_round({})", self.expr(&ty), self.expr(&Type::I64)),
            7 => {
                let other = Type::fixed(scale(self.tape.of(&DIGITS)));
                format!("{}.rescale::<{digits}>()", self.expr(&other))
            }
            8 => match self.tape.of(&[0, 1]) {
                0 => format!("{}.sum()", self.expr(&Type::vec(ty))),
                _ => format!("{}.abs()", self.expr(&ty)),
            },
            _ => {
                let (text, other) = (self.tape.of(&READ).to_owned(), self.leaf(&ty));
                let read = format!("parse::<{}>(\"{text}\")", of.name());
                self.spell.call("unwrap_or", &[read, other])
            }
        }
    }

    /// A number that is made of a decimal number.
    pub(super) fn of_fixed(&mut self, ty: Scalar) -> String {
        let of = self.fixed_ty();
        let method = if ty == Scalar::F64 { "to_f64" } else { "raw" };
        format!("{}.{method}()", self.expr(&of))
    }
}

fn scale(digits: u32) -> Scale {
    Scale::new(digits).expect("a scale")
}
