//! Vectors, and what loops run over.

use weldment_runtime::lang::types::{Scalar, Type};

use super::Generator;
use super::data::{is_ordered, is_reducible};

impl Generator<'_> {
    /// A vector of `element`s.
    pub(super) fn vector(&mut self, element: &Type) -> String {
        let this = Type::vec(element.clone());
        if element.is_text() && self.tape.pick(3) == 2 {
            return self.texts();
        }
        if matches!(element, Type::Struct(_)) && self.tape.pick(4) == 3 {
            return self.of_special_elements(element);
        }
        match self.tape.pick(18) {
            0 | 3 if matches!(element, Type::Struct(_)) && is_reducible(element) => self.scattered(element),
            0 | 1 => {
                let mapped = self.over_vector("map", |this| this.expr(element));
                match self.tape.by_place(&["", "store", "", ""]) {
                    "" => mapped,
                    store => self.spell.call(store, &[mapped]),
                }
            }
            2 if self.tape.by_place(&[false, false, true]) => {
                let function = self.tape.by_place(&["semi_join", "anti_join"]);
                self.half_joined(element, function)
            }
            2 => {
                let vector = self.expr(&this);
                let closure = self.function(element, None, |this| this.bool());
                match self.tape.by_place(&["filter", "partition", "take_while", "skip_while"]) {
                    "partition" => {
                        let parts = self.spell.over_elements("partition", &[vector, closure], false);
                        let part = self.tape.by_place(&[0, 1, 0]);
                        self.spell.field(&parts, part)
                    }
                    filter => self.spell.over_elements(filter, &[vector, closure], true),
                }
            }
            3 => self.over_vector("flat_map", |generator| generator.expr(&this)),
            4 => {
                let vectors = self.expr(&Type::vec(this));
                self.spell.over_elements("flatten", &[vectors], true)
            }
            5 => {
                let (vector, start, size) = (self.expr(&this), self.index(), self.tape.pick(4).to_string());
                self.part_of(&this, vector, start, size)
            }
            6 => self.sorted(element),
            8 | 9 if is_reducible(element) => self.scattered(element),
            12 if is_reducible(element) => self.along_columns(element),
            13 if is_reducible(element) => self.for_each_key(element),
            7 | 8 => self.appended(element),
            17 if *element == Type::I64 && self.tape.pick(2) == 0 => {
                let number = Type::Scalar(self.number());
                let vector = self.expr(&Type::vec(number));
                match self.tape.of(&["argsort", "histogram"]) {
                    "histogram" => {
                        let bounds = ["0.0", "4.5", "3"].map(str::to_owned);
                        self.spell.call("histogram", &[vec![vector], bounds.to_vec()].concat())
                    }
                    order => self.spell.call(order, &[vector]),
                }
            }
            17 if is_ordered(element) && self.tape.pick(3) == 0 => {
                let vector = self.expr(&this);
                match self.tape.by_place(&["sort", "k_smallest", "k_largest"]) {
                    "sort" => self.spell.call("sort", &[vector]),
                    few => self.spell.call(few, &[vector, "3".to_owned()]),
                }
            }
            17 if matches!(element, Type::Scalar(scalar) if *scalar != Scalar::Bool) => {
                let words = ["cumsum", "cumprod", "cummin", "cummax", "scan", "scan_back"];
                let (name, vector) = (self.tape.of(&words), self.expr(&this));
                if name.starts_with("cum") {
                    return self.spell.call(name, &[vector]);
                }
                let (init, step) = (self.leaf(element), self.scan_step(element));
                self.spell.call(name, &[vector, init, step])
            }
            14 => self.neighbours(element),
            15 | 16 => self.of_array(element),
            10 => {
                let key = self.key_ty();
                let (dict, key) = (self.expr(&Type::dict(key.clone(), this)), self.leaf(&key));
                self.spell.lookup(&dict, &key)
            }
            11 => {
                let (source, over) = self.source();
                let closure = self.function(&over, None, |this| this.expr(element));
                self.spell.over_elements("map", &[source, closure], true)
            }
            _ => self.of_special_elements(element),
        }
    }

    /// Some of the elements of a vector, or all of them the other way round.
    fn part_of(&mut self, this: &Type, vector: String, start: String, size: String) -> String {
        match self.tape.by_place(&["slice", "take", "drop", "skip", "step_by", "rev", "reverse", "chain"]) {
            "slice" => self.spell.call("slice", &[vector, start, size]),
            "chain" => {
                let (v, first) = (self.name(), self.tape.by_place(&["1", "2"]));
                let part = self.spell.call("take", &[v.clone(), first.to_owned()]);
                let both = self.spell.call("chain", &[part, v.clone()]);
                self.spell.binding(&v, this, &vector, &both)
            }
            "step_by" => self.spell.call("step_by", &[vector, size]),
            name @ ("rev" | "reverse") => self.spell.call(name, &[vector]),
            name => self.spell.call(name, &[vector, start]),
        }
    }

    /// What makes vectors of some types only.
    fn of_special_elements(&mut self, element: &Type) -> String {
        match element {
            Type::Scalar(Scalar::I64) => self.range(),
            Type::Scalar(Scalar::U8) => {
                let ty = self.ty(2);
                let value = self.expr(&ty);
                self.spell.call("serialize", &[value])
            }
            Type::Struct(fields) if fields.name().is_none() => match &fields[..] {
                [Type::Scalar(Scalar::I64), of] if self.tape.pick(2) == 0 => {
                    let vector = self.expr(&Type::vec(of.clone()));
                    self.spell.over_elements("enumerate", &[vector], true)
                }
                [key, value] if self.is_dict(key, value) && self.tape.pick(2) == 0 => {
                    let dict = self.expr(&Type::dict(key.clone(), value.clone()));
                    self.spell.call("tovec", &[dict])
                }
                [left, right] if self.tape.by_place(&[false, true]) => match self.joined(left, right) {
                    Some(joined) => joined,
                    None => self.leaf(&Type::vec(element.clone())),
                },
                [_, _, ..] => {
                    let parts: Vec<String> =
                        fields.iter().map(|field| self.expr(&Type::vec(field.clone()))).collect();
                    self.spell.call("zip", &parts)
                }
                _ => self.leaf(&Type::vec(element.clone())),
            },
            Type::Vec(_) if self.tape.by_place(&[false, true]) => {
                let vector = self.expr(element);
                let size = match self.tape.by_place(&["2", "3", "", "2", "(1L + 1L)"]) {
                    "" => self.index(),
                    size => size.to_owned(),
                };
                let rows = self.tape.by_place(&["windows", "chunks"]);
                self.spell.call(rows, &[vector, size])
            }
            _ => self.leaf(&Type::vec(element.clone())),
        }
    }

    fn range(&mut self) -> String {
        let end = match self.tape.pick(3) {
            0 => format!("{}L", self.tape.pick(7)),
            1 => {
                let any = self.expr(&Type::I64);
                format!("({} % 6L)", self.spell.call("abs", &[any]))
            }
            _ => {
                let vector = Type::vec(self.ty(0));
                let vector = self.leaf(&vector);
                self.spell.call("len", &[vector])
            }
        };
        match self.tape.pick(3) {
            0 => format!("(0L..{end})"),
            1 => format!("rangeiter(0L, {end}, 1L)"),
            _ => {
                let stride = self.tape.pick(4);
                format!("rangeiter({}L, {end} * {stride}L, {stride}L)", stride * self.tape.pick(2))
            }
        }
    }

    fn sorted(&mut self, element: &Type) -> String {
        let vector = self.expr(&Type::vec(element.clone()));
        if self.tape.pick(4) == 3 {
            let key = self.ordered_ty();
            let key = self.function(element, None, |this| this.expr(&key));
            let few = self.tape.by_place(&["sort_by_key", "k_smallest_by_key", "k_largest_by_key"]);
            if few != "sort_by_key" {
                let k = self.tape.of(&["2", "0", "30"]).to_owned();
                return self.spell.over_elements(few, &[vector, k, key], true);
            }
            return self.spell.over_elements("sort_by_key", &[vector, key], true);
        }
        let function = self.tape.of(&["sort", "sort_by"]);
        let order = self.repeated(4 * self.longest, |this| {
            let (a, b) = (this.bind(element), this.bind(element));
            let body = match (is_ordered(element), this.tape.pick(4)) {
                (true, 0 | 1) => this.spell.call("compare", &[a.clone(), b.clone()]),
                (true, 2) => this.spell.call("compare", &[b.clone(), a.clone()]),
                _ => this.expr(&Type::Scalar(Scalar::I32)),
            };
            this.spell.closure(&[a, b], None, &body)
        });
        self.spell.over_elements(function, &[vector, order], true)
    }

    /// What a `for` runs over, and the type of its elements.
    pub(super) fn source(&mut self) -> (String, Type) {
        match self.tape.pick(7) {
            0..3 => {
                let element = self.ty(1);
                (self.expr(&Type::vec(element.clone())), element)
            }
            3 => {
                let (a, b) = (self.ty(1), self.ty(0));
                let parts = match self.tape.pick(4) {
                    // Of equal lengths.
                    0..3 => {
                        let vector = self.leaf(&Type::vec(a.clone()));
                        let closure = self.function(&a, None, |this| this.expr(&b));
                        let mapped = self.spell.over_elements("map", &[vector.clone(), closure], true);
                        [vector, mapped]
                    }
                    _ => [self.expr(&Type::vec(a.clone())), self.expr(&Type::vec(b.clone()))],
                };
                if self.tape.pick(4) == 3 {
                    let [first, second] = parts;
                    let len = self.spell.call("len", std::slice::from_ref(&first));
                    let indices = format!("iter({first}, 0L, {len}, 1L)");
                    let range = format!("rangeiter(0L, {len}, 1L)");
                    let zipped = format!("zip({indices}, {second}, {range})");
                    return (zipped, Type::structure([a, b, Type::I64]));
                }
                (self.spell.call("zip", &parts), Type::structure([a, b]))
            }
            4 | 5 => {
                let element = self.ty(1);
                let vector = self.leaf(&Type::vec(element.clone()));
                let (start, stride) = (self.tape.pick(2), 1 + self.tape.pick(2));
                let end = match self.tape.pick(3) {
                    0 => format!("{}L", start + stride * self.tape.pick(3)),
                    1 => self.spell.call("len", std::slice::from_ref(&vector)),
                    _ => self.expr(&Type::I64),
                };
                (format!("iter({vector}, {start}L, {end}, {stride}L)"), element)
            }
            _ => (self.range(), Type::I64),
        }
    }
}
