//! Folds by functions: `reduce`, `fold` and `argmin`. How a loop is cut depends on what has been fused, so the
//! functions are associative.

use weldment_runtime::types::{Scalar, Type};

use super::Generator;

impl Generator<'_> {
    /// A fold to a value of type `ty`.
    pub(super) fn by_function(&mut self, ty: &Type) -> String {
        match self.tape.pick(4) {
            0 => self.in_order(ty),
            1 if *ty == Type::I64 => {
                let of = Type::vec(self.ordered_ty());
                let vector = self.expr(&of);
                format!("{}({vector})", ["argmin", "argmax"][self.tape.pick(2)])
            }
            1 | 2 => {
                let (vector, init) = (self.expr(&Type::vec(ty.clone())), self.expr(ty));
                let function = self.associative(ty);
                format!("fold({vector}, {init}, {function})")
            }
            _ => {
                let (vector, function) = (self.expr(&Type::vec(ty.clone())), self.associative(ty));
                self.sugar("reduce", &vector, &function)
            }
        }
    }

    /// A `fold` whose state counts the elements: of no element's type, so its steps run in order.
    fn in_order(&mut self, ty: &Type) -> String {
        let state = Type::structure([ty.clone(), Type::Scalar(Scalar::U8)]);
        let (source, element) = self.source();
        if element == state {
            return self.leaf(ty);
        }
        let init = self.expr(ty);
        let function = self.scoped(|this| {
            let (s, x) = (this.bind(&state), this.bind(&element));
            let next = this.expr(ty);
            format!("|{s}, {x}| {{{next}, {s}.$1 + 1u8}}")
        });
        format!("fold({source}, {{{init}, 0u8}}, {function}).$0")
    }

    /// An associative function of two values: one of them, or for integers an operator.
    pub(super) fn associative(&mut self, ty: &Type) -> String {
        let (a, b) = (self.name(), self.name());
        let body = match (ty, self.tape.pick(4)) {
            (Type::Scalar(scalar), 0) if scalar.is_integer() => format!("{a} + {b}"),
            (Type::Scalar(scalar), 1) if scalar.is_integer() => format!("if({a} < {b}, {b}, {a})"),
            (_, 2) => format!("if({}, {a}, {b})", self.bool()),
            (_, 3) => a.clone(),
            _ => b.clone(),
        };
        format!("|{a}, {b}| {body}")
    }
}
