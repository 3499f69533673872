//! Programs in the shapes that passes look for, which expressions of any kind seldom make: what a loop made is read by
//! others, and by several.

use weldment_runtime::lang::types::{Scalar, Type};

use super::Generator;

impl Generator<'_> {
    /// A result in one of the shapes, and its type.
    pub(super) fn shaped(&mut self) -> (Type, String) {
        match self.tape.pick(10) {
            0..3 => self.fed(),
            3..5 => self.several_tables(),
            5..7 => self.of_several_merges(),
            7 | 8 => self.sorted_structs(),
            _ => self.reduced_structs(),
        }
    }

    /// A struct of a few values that `one` gives, or seldom one of them.
    pub(super) fn together(&mut self, mut one: impl FnMut(&mut Self) -> (Type, String)) -> (Type, String) {
        let count = self.tape.of(&[2, 2, 3, 2, 1, 2, 3, 4]);
        let (types, values): (Vec<Type>, Vec<String>) = (0..count).map(|_| one(self)).unzip();
        if count == 1 {
            return (types[0].clone(), values[0].clone());
        }
        let made = self.spell.tuple(&values);
        (Type::structure(types), made)
    }

    /// What a loop over `source` gives, of `element`s: a vector, a number, or what is left of the elements. The loop is
    /// large, if that is asked for.
    pub(super) fn consumed(&mut self, source: &str, element: &Type, is_large: bool) -> (Type, String) {
        let source = source.to_owned();
        let read = |this: &mut Self| {
            let ty = Type::Scalar(this.number());
            let value = if is_large { this.large(ty.as_scalar().expect("a number")) } else { this.near(&ty) };
            (ty, value)
        };
        match self.tape.pick(6) {
            0..2 => {
                let ty = Type::Scalar(self.number());
                let sum = self.reduced(&ty, &source, self.longest, |this, b, op| {
                    let (i, x) = (this.name(), this.bind(element));
                    let scalar = ty.as_scalar().expect("a number");
                    let value = this.merged_as(op, &ty, |this| match is_large {
                        true => this.large(scalar),
                        false => this.near(&ty),
                    });
                    ([i, x], this.spell.call("merge", &[b.to_owned(), value]))
                });
                (ty, sum)
            }
            2 => {
                let function = self.function(element, None, |this| {
                    let (ty, value) = read(this);
                    let other = this.near(&ty);
                    format!("({value} < {other})")
                });
                let kept = self.spell.over_elements("filter", &[source, function], true);
                (Type::vec(element.clone()), kept)
            }
            3 => {
                let key = Type::Scalar(self.integer());
                let function = self.function(element, None, |this| match is_large {
                    true => this.large(key.as_scalar().expect("a number")),
                    false => this.near(&key),
                });
                let groups = self.spell.over_elements("group_by", &[source, function], false);
                (Type::dict(key, Type::vec(element.clone())), groups)
            }
            _ => {
                let mut result = Type::I64;
                let function = self.function(element, None, |this| {
                    let (ty, value) = read(this);
                    result = ty;
                    value
                });
                let mapped = self.spell.over_elements("map", &[source, function], true);
                (Type::vec(result), mapped)
            }
        }
    }

    /// A value that is near at hand: mostly a variable.
    pub(super) fn near(&mut self, ty: &Type) -> String {
        if self.tape.pick(4) == 3 { self.expr(ty) } else { self.leaf_from(ty) }
    }

    /// A variable, maybe of another type of numbers.
    fn leaf_from(&mut self, ty: &Type) -> String {
        let Some(to) = ty.as_scalar().filter(|scalar| *scalar != Scalar::Bool) else { return self.leaf(ty) };
        let recent = self.scope.iter().rev().take(8).filter_map(|variable| variable.ty.as_scalar());
        let recent: Vec<Scalar> = recent.collect();
        if recent.is_empty() || recent.contains(&to) {
            return self.leaf(ty);
        }
        let from = recent[self.tape.pick(recent.len())];
        let x = self.leaf(&Type::Scalar(from));
        self.spell.cast(to.name(), &x)
    }

    /// A number that takes many steps.
    fn large(&mut self, ty: Scalar) -> String {
        let mut x = self.near(&Type::Scalar(ty));
        if ty.is_float() {
            for _ in 0..2 + self.tape.pick(2) {
                let function = self.tape.of(&["sin", "exp", "cos", "sqrt", "tanh"]);
                x = self.spell.call(function, &[x]);
            }
            return x;
        }
        let suffix = self.spell.suffix(ty);
        for _ in 0..3 + self.tape.pick(2) {
            let (operator, divisor) = (self.tape.of(&["/", "%"]), 2 + self.tape.pick(9));
            let other = self.near(&Type::Scalar(ty));
            x = format!("({x} {operator} {divisor}{suffix} + {other} % 7{suffix})");
        }
        x
    }
}
