//! Scalars: arithmetic, comparisons, casts, functions, and what reduces vectors to them.

use weldment_runtime::scalar::MathFn;
use weldment_runtime::types::{Scalar, Type};

use super::Generator;

impl Generator<'_> {
    pub(super) fn scalar(&mut self, ty: Scalar) -> String {
        match ty {
            Scalar::Bool => self.truth(),
            _ => self.numeric(ty),
        }
    }

    fn truth(&mut self) -> String {
        match self.tape.pick(9) {
            0..3 => self.comparison(),
            3 => format!("({} && {})", self.bool(), self.bool()),
            4 => format!("({} || {})", self.bool(), self.bool()),
            5 => {
                let operator = self.tape.of(&["&", "|", "^"]);
                format!("({} {operator} !{})", self.bool(), self.bool())
            }
            6 => {
                let operator = self.tape.of(&["any", "all"]);
                self.over_vector(operator, |this| this.bool())
            }
            7 => self.key_exists(),
            _ => match self.tape.pick(3) {
                0 => format!("is_nan({})", self.float()),
                1 => format!("assert({})", self.bool()),
                _ => {
                    let from = self.tape.of(&Scalar::ALL);
                    match from.is_float() {
                        false => format!("bool({})", self.expr(&Type::Scalar(from))),
                        true => self.comparison(),
                    }
                }
            },
        }
    }

    fn float(&mut self) -> String {
        let ty = self.tape.of(&[Scalar::F64, Scalar::F32]);
        self.expr(&Type::Scalar(ty))
    }

    fn comparison(&mut self) -> String {
        let mut ty = Type::Scalar(self.number());
        if self.tape.pick(4) == 3 {
            ty = self.ordered_ty();
        }
        let (a, b) = (self.expr(&ty), self.expr(&ty));
        let operator = self.tape.of(&["==", "<", "!=", "<=", ">", ">="]);
        format!("({a} {operator} {b})")
    }

    /// A type with an order.
    pub(super) fn ordered_ty(&mut self) -> Type {
        let number = Type::Scalar(self.number());
        match self.tape.pick(3) {
            0 => Type::vec(number),
            1 => Type::structure([number, Type::Scalar(self.number())]),
            _ => number,
        }
    }

    fn numeric(&mut self, ty: Scalar) -> String {
        let this = Type::Scalar(ty);
        match self.tape.pick(13) {
            2 if ty.is_float() => self.math(ty),
            0..3 => {
                let (a, b) = (self.expr(&this), self.expr(&this));
                match self.tape.pick(5) {
                    3 => format!("min({a}, {b})"),
                    4 => format!("max({a}, {b})"),
                    i => format!("({a} {} {b})", ["+", "-", "*"][i]),
                }
            }
            3 => self.quotient(ty),
            4 if ty.is_integer() => {
                let operator = self.tape.of(&["&", "|", "^", "<<", ">>"]);
                format!("({} {operator} {})", self.expr(&this), self.expr(&this))
            }
            5 => match ty.is_integer() && self.tape.pick(2) == 1 {
                true => format!("(!{})", self.expr(&this)),
                // A minus right before a literal belongs to it.
                false => format!("(-({}))", self.expr(&this)),
            },
            6 | 7 => {
                let from = self.tape.of(&Scalar::ALL);
                let x = self.expr(&Type::Scalar(from));
                match self.tape.pick(2) {
                    0 => format!("{}({x})", ty.name()),
                    _ => format!("({x} as {})", ty.name()),
                }
            }
            4 | 8 => self.math(ty),
            9 | 10 => self.folded(&this),
            _ => match ty {
                Scalar::I64 => self.length(),
                Scalar::I32 => {
                    let compared = self.ordered_ty();
                    format!("compare({}, {})", self.expr(&compared), self.expr(&compared))
                }
                Scalar::F64 if self.limits.foreign => format!("cudf[half, f64]({})", self.expr(&this)),
                _ => self.extreme(&this),
            },
        }
    }

    /// A quotient or remainder that can fault, but seldom does.
    fn quotient(&mut self, ty: Scalar) -> String {
        let this = Type::Scalar(ty);
        let (a, operator) = (self.expr(&this), self.tape.of(&["/", "%"]));
        if ty.is_signed() && ty.is_integer() && self.tape.pick(6) == 5 {
            let dividend = match self.tape.pick(3) {
                0 => self.scalar_literal(ty),
                _ => format!("{}::MIN", ty.name()),
            };
            return format!("({dividend} {operator} (-1{}))", ty.name());
        }
        if ty.is_integer() && self.tape.pick(5) < 4 {
            let divisor = 2 + self.tape.pick(6);
            return format!("({a} {operator} {divisor}{})", ty.name());
        }
        format!("({a} {operator} {})", self.expr(&this))
    }

    fn math(&mut self, ty: Scalar) -> String {
        let this = Type::Scalar(ty);
        let fits = |f: &&MathFn| (ty.is_float() || f.takes_integers()) && **f != MathFn::IsNan;
        let functions: Vec<MathFn> = MathFn::ALL.iter().filter(fits).copied().collect();
        let function = self.tape.of(&functions);
        let mut args: Vec<String> = (0..function.arity()).map(|_| self.expr(&this)).collect();
        // A number alone has no methods, and what begins with a minus is no receiver.
        match self.tape.pick(3) {
            2 => format!("({}).{}({})", args.remove(0), function.name(), args.join(", ")),
            _ => format!("{}({})", function.name(), args.join(", ")),
        }
    }

    fn length(&mut self) -> String {
        match self.tape.pick(4) {
            0 => {
                let vector = Type::vec(self.ty(1));
                format!("len({})", self.expr(&vector))
            }
            1 => {
                let (key, value) = (self.key_ty(), self.reducible_ty());
                format!("len({})", self.expr(&Type::dict(key, value)))
            }
            2 => {
                let vector = Type::vec(self.ty(1));
                format!("{}.count()", self.expr(&vector))
            }
            _ => self.over_vector("filter", |this| this.bool()) + ".len()",
        }
    }

    /// `min` or `max` of a vector, which faults if it is empty.
    fn extreme(&mut self, ty: &Type) -> String {
        let operator = self.tape.of(&["min", "max"]);
        let vector = self.expr(&Type::vec(ty.clone()));
        match self.tape.pick(2) {
            0 => format!("{operator}({vector})"),
            _ => format!("({vector}).{operator}()"),
        }
    }

    /// `function(vector, |x| body)` or the same as a method, on a vector of any type.
    pub(super) fn over_vector(&mut self, function: &str, body: impl FnOnce(&mut Self) -> String) -> String {
        let element = self.ty(1);
        let vector = self.expr(&Type::vec(element.clone()));
        let closure = self.function(&element, |this, _| body(this));
        self.sugar(function, &vector, &closure)
    }

    /// `function(vector, closure)` or `vector.function(closure)`.
    pub(super) fn sugar(&mut self, function: &str, vector: &str, closure: &str) -> String {
        match self.tape.pick(2) {
            0 => format!("{function}({vector}, {closure})"),
            _ => format!("({vector}).{function}({closure})"),
        }
    }
}
