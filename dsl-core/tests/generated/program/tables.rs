//! Several dictionaries that are filled by the same key, and what is read of them.

use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::types::{Scalar, Type};

use super::Generator;

impl Generator<'_> {
    /// Two or three dictionaries of one key, and what is read of them.
    pub(super) fn several_tables(&mut self) -> (Type, String) {
        let key = if self.tape.pick(4) == 3 { self.key_ty() } else { Type::Scalar(self.number()) };
        let mut values: Vec<(ReduceOp, Type)> = Vec::new();
        for _ in 0..2 + self.tape.pick(2) {
            let op = self.operator();
            let value =
                if self.tape.pick(4) == 3 { self.reducible_ty() } else { Type::Scalar(self.number()) };
            values.push((op, value));
        }
        let (all, b) = (self.name(), self.name());
        let (source, element) = if self.tape.pick(4) == 3 { self.source() } else { self.some_vector() };
        let mut empty = Vec::new();
        for (op, value) in &values {
            empty.push(self.dict_builder(&key, value, *op));
        }
        let update = self.for_each(|this| {
            let (i, x) = (this.bind(&Type::I64), this.bind(&element));
            let shared = this.table_key(&key);
            // Sometimes one of them has another key.
            let other = if this.tape.pick(5) == 4 { Some(this.table_key(&key)) } else { None };
            let k = this.bind(&key);
            let mut merges = Vec::new();
            for (number, (op, value)) in values.iter().enumerate() {
                let part = this.spell.field(&b, number);
                let key = other.clone().filter(|_| number == 0).unwrap_or_else(|| k.clone());
                let value = this.merged_as(*op, value, |this| this.near(value));
                let entry = this.spell.tuple(&[key, value]);
                merges.push(this.spell.call("merge", &[part, entry]));
            }
            let mut update = this.spell.tuple(&merges);
            match this.tape.pick(4) {
                2 => {
                    let cond = this.bool();
                    update = this.spell.choice(&cond, &update, &b);
                }
                3 => {
                    let cond = this.bool();
                    let own: Vec<String> =
                        (0..values.len()).map(|number| this.spell.field(&b, number)).collect();
                    let guarded = merges.iter().zip(&own);
                    let guarded: Vec<String> =
                        guarded.map(|(merge, own)| this.spell.choice(&cond, merge, own)).collect();
                    update = this.spell.tuple(&guarded);
                }
                _ => {}
            }
            let update = this.spell.binding(&k, &key, &shared, &update);
            this.spell.closure(&[b, i, x], None, &update)
        });
        let empty = self.spell.tuple(&empty);
        self.scoped(|this| {
            let mut given = Vec::new();
            for (number, (_, value)) in values.iter().enumerate() {
                let (built, ty) = (this.spell.field(&all, number), Type::dict(key.clone(), value.clone()));
                given.push((this.bind(&ty), this.spell.call("result", &[built]), ty));
            }
            let (ty, mut body) = this.together(|this| {
                let number = this.tape.pick(values.len());
                let (dict, of) = (&given[number].0, &values[number].1);
                match this.tape.pick(4) {
                    // The keys of one, looked up in another, or in the same.
                    0 => {
                        let other = this.tape.pick(values.len());
                        let read = this.looked_up_by_keys(dict, &given[other].0);
                        (Type::vec(values[other].1.clone()), read)
                    }
                    _ => this.read_of_table(dict, &key, of),
                }
            });
            for (name, value, ty) in given.iter().rev() {
                body = this.spell.binding(name, ty, value, &body);
            }
            (ty, format!("(let {all} = for({source}, {empty}, {update}); {body})"))
        })
    }

    /// A key, of few different ones where it is a number.
    fn table_key(&mut self, key: &Type) -> String {
        match key {
            Type::Scalar(scalar) if scalar.is_integer() && *scalar != Scalar::Bool => {
                let suffix = self.spell.suffix(*scalar);
                format!("({} % {}{suffix})", self.near(key), 2 + self.tape.pick(5))
            }
            _ => self.near(key),
        }
    }

    /// For each key of `dict`, what `other` holds.
    fn looked_up_by_keys(&mut self, dict: &str, other: &str) -> String {
        let listed = self.spell.call("tovec", &[dict.to_owned()]);
        let function = self.scoped(|this| {
            let entry = this.name();
            let key = this.spell.field(&entry, 0);
            let found = match this.tape.pick(3) {
                2 => {
                    let found = this.spell.call("optlookup", &[other.to_owned(), key]);
                    this.spell.field(&found, 1)
                }
                _ => this.spell.lookup(other, &key),
            };
            this.spell.closure(&[entry], None, &found)
        });
        self.spell.over_elements("map", &[listed, function], true)
    }

    /// Something of a dictionary: what it holds for a key, how much, a list of it, or seldom the whole.
    pub(super) fn read_of_table(&mut self, dict: &str, key: &Type, value: &Type) -> (Type, String) {
        let dict = dict.to_owned();
        match self.tape.pick(8) {
            0 | 1 => {
                let wanted = self.table_key(key);
                let found = self.spell.call("optlookup", &[dict, wanted]);
                (Type::structure([Type::BOOL, value.clone()]), found)
            }
            2 if self.tape.by_place(&[true, false]) => {
                let wanted = self.table_key(key);
                (Type::BOOL, self.spell.call("keyexists", &[dict, wanted]))
            }
            3 => (Type::I64, self.spell.call("len", &[dict])),
            5 if self.tape.by_place(&[false, true]) => {
                let listed = self.spell.call("tovec", &[dict]);
                self.consumed(&listed, &Type::structure([key.clone(), value.clone()]), false)
            }
            2 | 4 | 5 => {
                let listed = self.spell.call("tovec", &[dict]);
                let columns = self.spell.over_elements("unzip", &[listed], false);
                (Type::vec(value.clone()), self.spell.field(&columns, 1))
            }
            6 => {
                let wanted = self.table_key(key);
                (value.clone(), self.spell.lookup(&dict, &wanted))
            }
            _ => match self.tape.pick(2) {
                0 => (Type::vec(value.clone()), self.looked_up_by_keys(&dict, &dict)),
                _ => (Type::dict(key.clone(), value.clone()), dict),
            },
        }
    }
}
