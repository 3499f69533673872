//! Folds by functions: `reduce` and `fold`. How a loop is cut depends on what has been fused, so the
//! functions are associative.

use weldment_runtime::lang::types::{Scalar, Type};

use super::Generator;

impl Generator<'_> {
    /// A fold to a value of type `ty`.
    pub(super) fn by_function(&mut self, ty: &Type) -> String {
        match self.tape.pick(8) {
            3..8 if *ty == Type::F64 => self.mean(),
            0 => self.in_order(ty),
            1 | 2 => {
                let (vector, init) = (self.expr(&Type::vec(ty.clone())), self.expr(ty));
                let function = self.associative(ty);
                self.spell.over_elements("fold", &[vector, init, function], false)
            }
            _ => {
                let (vector, function) = (self.expr(&Type::vec(ty.clone())), self.associative(ty));
                self.spell.over_elements("reduce", &[vector, function], false)
            }
        }
    }

    /// The mean of integers, and the variance or deviation of equal ones: nothing is rounded.
    fn mean(&mut self) -> String {
        let small = Type::Scalar(Scalar::I8);
        let vector = self.expr(&Type::vec(small.clone()));
        let mean = self.spell.call("mean", &[vector]);
        let (x, value) = (self.name(), self.expr(&small));
        // Few programs have them: each twice, so that some are spelt as functions.
        let all =
            ["var", "std", "var", "std"].map(|away| self.spell.call(away, &[format!("[{x}, {x}, {x}]")]));
        let all = format!("({})", all.join(" + "));
        let var = self.spell.binding(&x, &small, &value, &all);
        format!("({mean} + {var})")
    }

    /// A `fold` whose state counts the elements: of no element's type, so its steps run in order.
    fn in_order(&mut self, ty: &Type) -> String {
        let state = Type::structure([ty.clone(), Type::Scalar(Scalar::U8)]);
        let (source, element) = self.source();
        if element == state {
            return self.leaf(ty);
        }
        let init = self.expr(ty);
        let function = self.for_each(|this| {
            let (s, x) = (this.bind(&state), this.bind(&element));
            let (next, count) = (this.expr(ty), this.spell.field(&s, 1));
            let body = this.spell.tuple(&[next, format!("{count} + 1u8")]);
            this.spell.closure(&[s, x], None, &body)
        });
        let init = self.spell.tuple(&[init, "0u8".to_owned()]);
        let folded = self.spell.over_elements("fold", &[source, init, function], false);
        self.spell.field(&folded, 0)
    }

    /// An associative function of two values: one of them, or for integers an operator.
    pub(super) fn associative(&mut self, ty: &Type) -> String {
        let (a, b) = (self.name(), self.name());
        let body = match (ty, self.tape.pick(4)) {
            (Type::Scalar(scalar), 0) if scalar.is_integer() => format!("{a} + {b}"),
            (Type::Scalar(scalar), 1) if scalar.is_integer() => {
                self.spell.choice(&format!("({a} < {b})"), &b, &a)
            }
            (_, 2) => {
                let cond = self.for_each(|this| this.bool());
                self.spell.choice(&cond, &a, &b)
            }
            (_, 3) => a.clone(),
            _ => b.clone(),
        };
        self.spell.closure(&[a, b], None, &body)
    }
}
