//! Structs of many fields, sorted and reduced, of which some fields are read; and vectors to which several places of a
//! body merge, read by large loops.

use weldment_runtime::lang::types::{Scalar, Type};

use super::Generator;

impl Generator<'_> {
    /// What large loops read of a vector that is merged at several places.
    pub(super) fn of_several_merges(&mut self) -> (Type, String) {
        let element = Type::Scalar(self.number());
        let (source, over) = self.some_vector();
        let function = self.function(&over, None, |this| {
            if this.tape.pick(3) == 0 {
                return this.listed(&element, 2);
            }
            let cond = this.bool();
            let (then, els) = (this.listed(&element, 1), this.listed(&element, 0));
            this.spell.choice(&cond, &then, &els)
        });
        let several = self.spell.over_elements("flat_map", &[source, function], true);
        let v = self.name();
        let (ty, body) = self.together(|this| {
            let (ty, mut read) = this.consumed(&v, &element, true);
            if let Type::Vec(of) = &ty
                && this.tape.pick(3) == 2
                && of.as_scalar().is_some()
            {
                let order = this.spell.call("compare", &["b".to_owned(), "a".to_owned()]);
                let order = this.spell.closure(&["a".to_owned(), "b".to_owned()], None, &order);
                read = this.spell.over_elements("sort", &[read, order], true);
            }
            (ty, read)
        });
        (ty, self.spell.binding(&v, &Type::vec(element), &several, &body))
    }

    /// A list of a few elements, at least so many.
    fn listed(&mut self, element: &Type, least: usize) -> String {
        let len = least + self.tape.pick(3);
        let elements: Vec<String> = (0..len).map(|_| self.near(element)).collect();
        match len {
            0 => format!("([]: {})", self.spell.ty(&Type::vec(element.clone()))),
            _ => format!("[{}]", elements.join(", ")),
        }
    }

    /// A vector of structs of several numbers, the first so many of which are integers, and the type of those.
    fn wide(&mut self, integers: usize) -> (String, Type) {
        let mut fields = Vec::new();
        for number in 0..3 + self.tape.pick(4) {
            let scalar = match number < integers {
                true => self.tape.of(&[Scalar::I64, Scalar::I32, Scalar::U8]),
                false => self.number(),
            };
            fields.push(Type::Scalar(scalar));
        }
        let ty = Type::structure(fields.iter().cloned());
        let (source, over) = if self.tape.pick(4) == 3 { self.source() } else { self.some_vector() };
        let function = self.function(&over, None, |this| {
            let fields: Vec<String> = fields.iter().map(|field| this.near(field)).collect();
            this.spell.tuple(&fields)
        });
        (self.spell.over_elements("map", &[source, function], true), ty)
    }

    /// What is read of sorted structs.
    pub(super) fn sorted_structs(&mut self) -> (Type, String) {
        let (vector, element) = self.wide(1);
        let order = self.order(&element);
        let sorted = self.spell.over_elements("sort", &[vector, order], true);
        let ty = Type::vec(element.clone());
        self.scoped(|this| {
            let s = this.bind(&ty);
            let (result, body) = this.together(|this| {
                let mut of = s.clone();
                if this.tape.pick(4) == 3 {
                    let (start, size) = (this.index(), 1 + this.tape.pick(3));
                    of = this.spell.call("slice", &[of, start, size.to_string()]);
                }
                match this.tape.pick(8) {
                    0..4 => this.some_fields(&of, &element),
                    4 => this.consumed(&of, &element, false),
                    5 => {
                        let number = this.tape.pick(element.fields().expect("a struct").len());
                        let at = this.index();
                        let found = this.spell.lookup(&of, &at);
                        let field = element.fields().expect("a struct")[number].clone();
                        (field, this.spell.field(&found, number))
                    }
                    6 => (Type::I64, this.spell.call("len", &[of])),
                    _ => (ty.clone(), of),
                }
            });
            (result, this.spell.binding(&s, &ty, &sorted, &body))
        })
    }

    /// One field of each element of `vector`.
    fn some_fields(&mut self, vector: &str, element: &Type) -> (Type, String) {
        let fields = element.fields().expect("a struct");
        let number = self.tape.pick(fields.len());
        let function = self.scoped(|this| {
            let x = this.name();
            let field = this.spell.field(&x, number);
            this.spell.closure(&[x], None, &field)
        });
        let mapped = self.spell.over_elements("map", &[vector.to_owned(), function], true);
        (Type::vec(fields[number].clone()), mapped)
    }

    /// What compares two `element`s by one or two of their fields. Some contradict themselves, and some fault.
    fn order(&mut self, element: &Type) -> String {
        let count = element.fields().expect("a struct").len();
        let (a, b) = (self.name(), self.name());
        let field = self.tape.pick(count);
        let second = self.tape.pick(count);
        let of = |this: &mut Self, of: &str, field: usize| this.spell.field(of, field);
        let (x, y) = (of(self, &a, field), of(self, &b, field));
        let by_first = self.spell.call("compare", &[x.clone(), y.clone()]);
        let body = match self.tape.pick(9) {
            0..2 => by_first,
            2 => self.spell.call("compare", &[y, x]),
            3 | 4 => {
                let (more, most) = (of(self, &a, second), of(self, &b, second));
                let keys = [self.spell.tuple(&[x, more]), self.spell.tuple(&[y, most])];
                self.spell.call("compare", &keys)
            }
            5 => {
                let (more, most) = (of(self, &a, second), of(self, &b, second));
                let by_second = self.spell.call("compare", &[most, more]);
                self.spell.choice(&format!("({x} == {y})"), &by_second, &by_first)
            }
            6 => self.spell.choice(&format!("({x} < {y})"), "1", "1"),
            7 => self.spell.choice(&format!("({x} < {y})"), "1", "0"),
            _ => {
                let divisor = self.spell.cast("i32", &x);
                format!("({by_first} + 7 / {divisor} * 0)")
            }
        };
        self.spell.closure(&[a, b], None, &body)
    }

    /// Some fields of what structs are reduced to, by a function that needs others for them.
    pub(super) fn reduced_structs(&mut self) -> (Type, String) {
        let (vector, element) = self.wide(2);
        let fields = element.fields().expect("a struct").to_vec();
        let (a, b) = (self.name(), self.name());
        let mut parts = Vec::new();
        for (number, field) in fields.iter().enumerate() {
            let (x, y) = (self.spell.field(&a, number), self.spell.field(&b, number));
            let is_integer = field.as_scalar().is_some_and(Scalar::is_integer);
            parts.push(match self.tape.pick(4) {
                // Where the second of the fields is largest, the others are what they are there.
                0 | 1 if number != 1 => {
                    let (key, other) = (self.spell.field(&a, 1), self.spell.field(&b, 1));
                    self.spell.choice(&format!("({key} < {other})"), &y, &x)
                }
                _ if number == 1 => self.spell.call("max", &[x, y]),
                2 if is_integer => format!("({x} + {y})"),
                3 => y,
                _ => x,
            });
        }
        let made = self.spell.tuple(&parts);
        let function = self.spell.closure(&[a, b], None, &made);
        let reduced = match self.tape.pick(3) {
            2 => {
                let init = self.leaf(&element);
                self.spell.over_elements("fold", &[vector, init, function], false)
            }
            _ => self.spell.over_elements("reduce", &[vector, function], false),
        };
        let r = self.name();
        let (ty, body) = self.together(|this| {
            let number = this.tape.pick(fields.len());
            (fields[number].clone(), this.spell.field(&r, number))
        });
        (ty, self.spell.binding(&r, &element, &reduced, &body))
    }
}
