//! Several builders that one loop feeds at places of their own, in any order, and what they give read together.

use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::types::{Scalar, Type};

use super::Generator;

/// A builder, and what it gives.
struct Fed {
    ty: Type,
    op: ReduceOp,
    /// How its type is written.
    builder: String,
}

/// What a body does to the builders.
#[derive(Clone, Copy)]
enum Action {
    /// Merges into the builder of this number.
    Merge(usize),
    If,
    For,
}

impl<'t> Generator<'t> {
    /// What several builders of one loop give, read together.
    pub(super) fn fed(&mut self) -> (Type, String) {
        let builders: Vec<Fed> = (0..self.tape.of(&[2, 2, 3])).map(|number| self.builder(number)).collect();
        let (source, element) = self.some_vector();
        let (all, b) = (self.name(), self.name());
        let update = self.for_each(|this| {
            let (i, x) = (this.bind(&Type::I64), this.bind(&element));
            let update = this.fed_in(&b, &builders, 2);
            this.spell.closure(&[b, i, x], None, &update)
        });
        let empty: Vec<String> = builders.iter().map(|fed| fed.builder.clone()).collect();
        let empty = self.spell.tuple(&empty);
        self.scoped(|this| {
            let mut given = Vec::new();
            for (number, fed) in builders.iter().enumerate() {
                let built = this.spell.field(&all, number);
                given.push((this.bind(&fed.ty), this.spell.call("result", &[built])));
            }
            let names: Vec<&String> = given.iter().map(|(name, _)| name).collect();
            let (ty, mut body) = this.together(|this| this.read_together(&names, &builders));
            for ((name, value), fed) in given.iter().zip(&builders).rev() {
                body = this.spell.binding(name, &fed.ty, value, &body);
            }
            (ty, format!("(let {all} = for({source}, {empty}, {update}); {body})"))
        })
    }

    /// A builder; the first two are mostly of vectors.
    fn builder(&mut self, number: usize) -> Fed {
        let (op, value) = (self.operator(), Type::Scalar(self.number()));
        match if number < 2 { self.tape.of(&[0, 0, 0, 0, 0, 0, 4, 5]) } else { 3 + self.tape.pick(4) } {
            0..4 => {
                let element = if self.tape.pick(6) == 5 { self.ty(1) } else { value };
                // Maybe nothing says what is merged.
                let builder = format!("appender[{}]", self.spell.ty(&element));
                Fed { ty: Type::vec(element), op, builder }
            }
            4 => {
                let builder = format!("merger[{}, {op}]", self.spell.ty(&value));
                Fed { ty: value, op, builder }
            }
            _ => {
                let key = Type::Scalar(self.number());
                let value = if self.tape.pick(3) == 2 { Type::vec(value) } else { value };
                let builder = self.dict_builder(&key, &value, op);
                Fed { ty: Type::dict(key, value), op, builder }
            }
        }
    }

    /// What becomes of the builders in the struct `whole` in a body that may hold others, so deep: mostly all vectors
    /// get equally many elements.
    fn fed_in(&mut self, whole: &str, builders: &[Fed], depth: usize) -> String {
        let mut names: Vec<String> = builders.iter().map(|_| self.name()).collect();
        let mut lets: Vec<(String, String)> = Vec::new();
        for (number, name) in names.iter().enumerate() {
            lets.push((name.clone(), self.spell.field(whole, number)));
        }
        for action in self.actions(builders, depth) {
            if let Action::Merge(number) = action {
                let merged = self.merge(&names[number], &|this| this.fed_value(&builders[number]));
                names[number] = self.name();
                lets.push((names[number].clone(), merged));
                continue;
            }
            let (inner, held) = (self.name(), self.spell.tuple(&names));
            let updated = self.name();
            let value = match action {
                Action::If => {
                    let cond = self.cond();
                    let then = self.fed_in(&inner, builders, depth - 1);
                    let els =
                        if self.tape.pick(3) == 2 { self.fed_in(&inner, builders, 0) } else { inner.clone() };
                    self.spell.choice(&cond, &then, &els)
                }
                _ => {
                    let (source, element) = self.some_vector();
                    let b = self.name();
                    let update = self.for_each(|this| {
                        let (i, x) = (this.bind(&Type::I64), this.bind(&element));
                        let update = this.fed_in(&b, builders, depth - 1);
                        this.spell.closure(&[b, i, x], None, &update)
                    });
                    format!("for({source}, {inner}, {update})")
                }
            };
            lets.push((inner, held));
            lets.push((updated.clone(), value));
            for (number, name) in names.iter_mut().enumerate() {
                *name = self.name();
                lets.push((name.clone(), self.spell.field(&updated, number)));
            }
        }
        let mut body = self.spell.tuple(&names);
        for (name, value) in lets.iter().rev() {
            body = format!("let {name} = {value}; {body}");
        }
        format!("({body})")
    }

    /// What a body does, in any order.
    fn actions(&mut self, builders: &[Fed], depth: usize) -> Vec<Action> {
        let each = self.tape.of(&[1, 1, 1, 2]);
        let mut actions = Vec::new();
        for (number, fed) in builders.iter().enumerate() {
            let is_vector = matches!(fed.ty, Type::Vec(_));
            let times = if is_vector && self.tape.pick(12) < 11 { each } else { self.tape.pick(3) };
            actions.extend((0..times).map(|_| Action::Merge(number)));
        }
        if depth > 0 {
            let inner: &[Action] =
                self.tape.of(&[&[], &[Action::If], &[Action::If], &[Action::If, Action::For]]);
            actions.extend(inner);
        }
        // A permutation; the first one is the simplest.
        for at in 0..actions.len() {
            let other = at + self.tape.pick(actions.len() - at);
            actions.swap(at, other);
        }
        actions
    }

    fn cond(&mut self) -> String {
        let ty = Type::Scalar(self.number());
        let (a, b) = (self.near(&ty), self.leaf(&ty));
        format!("({a} < {b})")
    }

    fn fed_value(&mut self, fed: &Fed) -> String {
        match &fed.ty {
            Type::Vec(element) => match element.as_scalar() {
                // Of no other place, so that it is seen what stands beside what.
                Some(scalar) if scalar != Scalar::Bool => {
                    self.names += 1;
                    let (value, own) = (self.near(element), self.names % 50);
                    let own = self.spell.cast(scalar.name(), &format!("{own}L"));
                    format!("({value} + {own})")
                }
                _ => self.near(element),
            },
            Type::Dict(key, value) => {
                let key = self.near(key);
                let value = match &**value {
                    Type::Vec(element) => self.near(element),
                    value => self.merged_as(fed.op, value, |this| this.near(value)),
                };
                self.spell.tuple(&[key, value])
            }
            ty => self.merged_as(fed.op, ty, |this| this.near(ty)),
        }
    }

    /// Something that reads what the builders gave.
    fn read_together(&mut self, names: &[&String], builders: &[Fed]) -> (Type, String) {
        let vectors: Vec<usize> =
            (0..names.len()).filter(|&number| matches!(builders[number].ty, Type::Vec(_))).collect();
        let element = |number: usize| builders[number].ty.element().expect("a vector").clone();
        match self.tape.pick(8) {
            0..5 if vectors.len() > 1 => {
                let zipped: Vec<String> = vectors.iter().map(|&number| names[number].clone()).collect();
                let elements = Type::structure(vectors.iter().map(|&number| element(number)));
                let zipped = self.spell.call("zip", &zipped);
                let is_large = self.tape.pick(3) == 2;
                self.consumed(&zipped, &elements, is_large)
            }
            5 if vectors.len() > 1 => {
                // One of them by the indices of another.
                let (first, second) = (vectors[0], vectors[1]);
                let function = self.scoped(|this| {
                    let i = this.name();
                    let at = this.spell.lookup(names[second], &i);
                    this.spell.closure(&[i], None, &at)
                });
                let len = self.spell.call("len", &[names[first].clone()]);
                let range = format!("rangeiter(0L, {len}, 1L)");
                let mapped = self.spell.over_elements("map", &[range, function], true);
                (builders[second].ty.clone(), mapped)
            }
            _ => {
                let number = self.tape.pick(names.len());
                match builders[number].ty.clone() {
                    Type::Vec(of) => self.consumed(names[number], &of, false),
                    Type::Dict(key, value) => self.read_of_table(names[number], &key, &value),
                    ty => (ty, names[number].clone()),
                }
            }
        }
    }
}
