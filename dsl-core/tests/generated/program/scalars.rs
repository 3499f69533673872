//! Scalars: arithmetic, comparisons, casts, functions, and what reduces vectors to them.

use weldment_runtime::lang::scalar::MathFn;
use weldment_runtime::lang::types::{Scalar, Type};

use super::Generator;
use super::data::is_ordered;
use super::spell::Step;

impl Generator<'_> {
    pub(super) fn scalar(&mut self, ty: Scalar) -> String {
        if self.tape.by_place(&[false, false, false, false, false, false, true]) {
            return self.of_text(ty);
        }
        if matches!(ty, Scalar::I32 | Scalar::I64 | Scalar::F64)
            && self.tape.by_place(&[false, false, false, true])
        {
            if ty != Scalar::I32 && self.tape.by_place(&[false, false, false, true, false]) {
                return self.of_fixed(ty);
            }
            return self.of_time(ty);
        }
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
                let a = self.bool();
                let (a, b) = (self.spell.beside_bits(a), self.bool());
                format!("({a} {operator} !{b})")
            }
            6 => {
                let operator = self.tape.of(&["any", "all"]);
                match self.tape.by_place(&[operator, operator, "position"]) {
                    "position" => {
                        let position = self.over_vector("position", |this| this.bool());
                        self.spell.call("is_some", &[position])
                    }
                    operator => self.over_vector(operator, |this| this.bool()),
                }
            }
            7 => self.key_exists(),
            _ => match self.tape.pick(4) {
                0 => {
                    let x = self.float();
                    self.spell.call("is_nan", &[x])
                }
                1 => format!("assert({})", self.bool()),
                _ => self.cast(Scalar::Bool),
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
        self.spell.comparison(&a, operator, &b)
    }

    /// A type with an order.
    pub(super) fn ordered_ty(&mut self) -> Type {
        let number = Type::Scalar(self.number());
        match self.tape.pick(4) {
            0 => Type::vec(number),
            1 => Type::structure([number, Type::Scalar(self.number())]),
            2 => self.named_ty(is_ordered).unwrap_or(number),
            _ if self.tape.by_place(&[false, false, false, true]) => self.temporal_ty(),
            _ => number,
        }
    }

    fn numeric(&mut self, ty: Scalar) -> String {
        let this = Type::Scalar(ty);
        match self.tape.pick(13) {
            1 | 2 if ty.is_float() => self.math(ty),
            0..3 => {
                let (a, b) = (self.expr(&this), self.expr(&this));
                match self.tape.pick(5) {
                    3 => match self.tape.by_place(&["min", "clamp"]) {
                        "clamp" => self.spell.call("clamp", &[a.clone(), b, a]),
                        least => self.spell.call(least, &[a, b]),
                    },
                    4 => self.spell.call("max", &[a, b]),
                    i => {
                        let operator = ["+", "-", "*"][i];
                        format!("({a} {operator} {b})")
                    }
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
            7 if ty.is_float() && self.tape.by_place(&[false, false, true]) => {
                // Floats between which nothing rounds.
                let vector = self.expr(&Type::vec(this));
                let halves = ["0.0", "0.5", "1.0"].map(str::to_owned);
                match self.tape.by_place(&["quantile", "median"]) {
                    "median" => self.spell.call("median", &[vector]),
                    word => {
                        let q = self.tape.by_place(&halves.each_ref());
                        self.spell.call(word, &[vector, q.clone()])
                    }
                }
            }
            6 if matches!(ty, Scalar::U64 | Scalar::F64) && self.tape.by_place(&[false, true]) => {
                self.random(ty)
            }
            6 | 7 => self.cast(ty),
            4 | 8 => self.math(ty),
            9 | 10 => self.folded(&this),
            _ => match ty {
                Scalar::I64 if self.tape.pick(3) == 2 => self.extreme_at(),
                Scalar::I64 if self.tape.by_place(&[false, false, true]) => self.place_in_order(),
                Scalar::I64 => self.length(),
                Scalar::I32 => {
                    let compared = self.ordered_ty();
                    let (a, b) = (self.expr(&compared), self.expr(&compared));
                    self.spell.call("compare", &[a, b])
                }
                Scalar::F64 if self.limits.foreign => match self.tape.pick(2) {
                    0 => {
                        let x = self.expr(&this);
                        self.spell.half(&x)
                    }
                    _ => {
                        let cond = self.bool();
                        let (a, b) = (self.expr(&Type::I64), self.expr(&Type::Scalar(Scalar::F32)));
                        format!("f64(cudf[weldment_blend, f32]({cond}, {a}, {b}))")
                    }
                },
                _ => self.extreme(&this),
            },
        }
    }

    /// How many elements of a vector, which need not be in order, stand before a place.
    fn place_in_order(&mut self) -> String {
        match self.tape.by_place(&["search_sorted", "partition_point"]) {
            "search_sorted" => {
                let element = Type::Scalar(self.number());
                let (vector, x) = (self.expr(&Type::vec(element.clone())), self.expr(&element));
                self.spell.call("search_sorted", &[vector, x])
            }
            word => self.over_vector(word, |this| this.bool()),
        }
    }

    /// A random number; of floats one that adds up exactly.
    fn random(&mut self, ty: Scalar) -> String {
        let numbers = [self.expr(&Type::I64), self.expr(&Type::I64)];
        match ty.is_float() {
            true => {
                let number = self.spell.call("random", &numbers);
                self.spell.call("floor", &[format!("({number} * 4.0)")])
            }
            false => self.spell.call("random_bits", &numbers),
        }
    }

    /// A cast to `to` from any type that can be cast to it, or several casts in a row.
    fn cast(&mut self, to: Scalar) -> String {
        if to.is_float() && self.tape.by_place(&[false, false, true]) {
            return self.of_half(to);
        }
        let mut types = vec![to];
        for _ in 0..1 + self.tape.pick(4) {
            let last = types[types.len() - 1];
            let castable = |from: Scalar| last != Scalar::Bool || !from.is_float();
            types.push(self.tape.of(&Scalar::ALL.map(|from| if castable(from) { from } else { Scalar::U8 })));
        }
        let first = types.pop().expect("more than one");
        let x = self.expr(&Type::Scalar(first));
        types.iter().rev().fold(x, |x, to| self.spell.cast(to.name(), &x))
    }

    /// A quotient or remainder that can fault, but seldom does.
    fn quotient(&mut self, ty: Scalar) -> String {
        let this = Type::Scalar(ty);
        let (a, operator) = (self.expr(&this), self.tape.of(&["/", "%"]));
        let name = self.spell.suffix(ty);
        if ty.is_signed() && ty.is_integer() && self.tape.pick(6) == 5 {
            let dividend = match self.tape.pick(3) {
                0 => self.scalar_literal(ty),
                _ => format!("{ty}::MIN"),
            };
            return format!("({dividend} {operator} (-1{name}))");
        }
        if ty.is_integer() && self.tape.pick(5) < 4 {
            let divisor = 2 + self.tape.pick(6);
            // Without a suffix, the other side says what type it is of.
            let suffix = if self.tape.pick(3) == 2 { "" } else { name };
            return format!("({a} {operator} {divisor}{suffix})");
        }
        format!("({a} {operator} {})", self.expr(&this))
    }

    /// A function of a number, and sometimes one of what it gives.
    fn math(&mut self, ty: Scalar) -> String {
        let this = Type::Scalar(ty);
        let fits = |f: &&MathFn| (ty.is_float() || f.takes_integers()) && **f != MathFn::IsNan;
        let functions: Vec<MathFn> = MathFn::ALL.iter().filter(fits).copied().collect();
        let mut x = self.expr(&this);
        for _ in 0..1 + self.tape.pick(3) {
            let function = self.tape.of(&functions);
            let mut args = vec![x];
            args.extend((1..function.arity()).map(|_| self.expr(&this)));
            let name = match function.arity() {
                1 if ty.is_float() && self.tape.by_place(&[false, false, true]) => {
                    args.push(self.tape.by_place(&["3", "(-2L)", "0u8", "5"]).to_owned());
                    "powi"
                }
                3 => self.tape.by_place(&[function.name(), "clamp"]),
                _ => function.name(),
            };
            x = self.spell.call(name, &args);
        }
        x
    }

    fn length(&mut self) -> String {
        match self.tape.pick(4) {
            0 => {
                let vector = Type::vec(self.ty(1));
                let vector = self.expr(&vector);
                self.spell.call("len", &[vector])
            }
            1 => {
                let (key, value) = (self.key_ty(), self.reducible_ty());
                let dict = self.expr(&Type::dict(key, value));
                match self.tape.by_place(&["n_unique", "keys", "values", "encode", "values", "distinct"]) {
                    part @ ("keys" | "values") => {
                        let part = self.spell.call(part, &[dict]);
                        self.spell.call("len", &[part])
                    }
                    of_keys => {
                        let keys = self.spell.call("keys", &[dict]);
                        let different = self.spell.over_elements(of_keys, &[keys], false);
                        match of_keys {
                            "n_unique" => different,
                            "encode" => {
                                let codes = self.spell.path(&different, &[Step::Number(0)]);
                                self.spell.call("len", &[codes])
                            }
                            _ => self.spell.call("len", &[different]),
                        }
                    }
                }
            }
            2 => {
                let (source, _) = self.source();
                self.spell.over_elements("count", &[source], false)
            }
            _ => {
                let kept = self.over_vector("filter", |this| this.bool());
                self.spell.call("len", &[kept])
            }
        }
    }

    /// Where the smallest or largest of a vector stands.
    fn extreme_at(&mut self) -> String {
        let of = Type::vec(self.ordered_ty());
        let (vector, function) = (self.expr(&of), self.tape.of(&["argmin", "argmax"]));
        self.spell.over_elements(function, &[vector], false)
    }

    /// `min` or `max` of a vector, which faults if it is empty.
    fn extreme(&mut self, ty: &Type) -> String {
        let operator = self.tape.of(&["min", "max"]);
        let vector = self.expr(&Type::vec(ty.clone()));
        match self.tape.by_place(&[false, true]) {
            true => {
                let by_key = format!("{operator}_by_key");
                self.spell.over_elements(&by_key, &[vector, "|x| x".to_owned()], false)
            }
            false => self.spell.over_elements(operator, &[vector], false),
        }
    }

    /// `function(vector, |x| body)` on a vector of any type.
    pub(super) fn over_vector(&mut self, function: &str, body: impl FnOnce(&mut Self) -> String) -> String {
        let element = self.ty(1);
        let vector = self.expr(&Type::vec(element.clone()));
        let closure = self.function(&element, None, |this| body(this));
        let collects = !matches!(function, "any" | "all" | "position" | "partition_point");
        self.spell.over_elements(function, &[vector, closure], collects)
    }
}
