//! Dictionaries, and what is looked up in them.

use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::types::Type;

use super::Generator;
use super::data::{is_no_key, is_optional, is_reducible};

impl Generator<'_> {
    /// A dictionary; `value` is what [`Generator::is_dict`] allows.
    pub(super) fn dict(&mut self, key: &Type, value: &Type) -> String {
        match (self.tape.pick(6), value) {
            (3, Type::Vec(element)) => {
                let vector = self.expr(&Type::vec((**element).clone()));
                let function = self.function(element, None, |this| this.expr(key));
                return self.spell.over_elements("group_by", &[vector, function], false);
            }
            (4, _) if self.tape.by_place(&[false, true]) => return self.indexed_by(key, value),
            (4, _) => {
                let pairs = Type::vec(Type::structure([key.clone(), value.clone()]));
                let pairs = self.expr(&pairs);
                return self.spell.over_elements("to_dict", &[pairs], false);
            }
            (5, _) => {
                let (source, element) = self.source();
                let keys = self.function(&element, None, |this| this.expr(key));
                let values = self.function(&element, None, |this| this.expr(value));
                let op = self.operator();
                let by = match self.is_exact(op, value) && self.tape.pick(3) > 0 {
                    true => op.to_string(),
                    false => self.associative(value),
                };
                if self.tape.by_place(&[false, false, true]) {
                    return self.aggregate(source, keys, &values);
                }
                return self.spell.over_elements("reduce_by", &[source, keys, values, by], false);
            }
            _ => {}
        }
        let op = self.operator();
        let builder = self.dict_builder(key, value, op);
        self.looped(&builder, &|this| {
            let key = this.expr(key);
            let value = match value {
                Type::Vec(element) => this.expr(element),
                _ => this.merged(op, value),
            };
            this.spell.tuple(&[key, value])
        })
    }

    /// A dictionary of elements by their keys, of which some come twice.
    fn indexed_by(&mut self, key: &Type, value: &Type) -> String {
        let elements = Type::vec(value.clone());
        let (vector, v) = (self.expr(&elements), self.name());
        let function = self.function(value, None, |this| this.expr(key));
        if self.tape.by_place(&[true, true, false]) {
            return self.spell.over_elements("index_by", &[vector, function], false);
        }
        let twice = self.spell.call("chain", &[v.clone(), v.clone()]);
        let index = self.spell.over_elements("index_by", &[twice, function], false);
        self.spell.binding(&v, &elements, &vector, &index)
    }

    /// What is first or last of each key, as it is or by how many there are.
    fn aggregate(&mut self, source: String, keys: String, values: &str) -> String {
        let (g, n) = (self.name(), self.name());
        let [first, last] = ["first", "last"].map(|word| format!("{word}({g}, {values})"));
        let body = match self.tape.by_place(&[false, true]) {
            true => {
                let (count, few) = (format!("count({g})"), format!("({n} < 2)"));
                let either = self.spell.choice(&few, &first, &last);
                self.spell.binding(&n, &Type::I64, &count, &either)
            }
            false => last,
        };
        let results = self.spell.closure(&[g], None, &body);
        self.spell.over_elements("aggregate", &[source, keys, results], false)
    }

    /// A dictionary of one key.
    pub(super) fn dict_literal(&mut self, key: &Type, value: &Type) -> String {
        let builder = self.dict_builder(key, value, ReduceOp::Add);
        let (key, value) = (self.leaf(key), self.leaf(value.element().unwrap_or(value)));
        let entry = self.spell.tuple(&[key, value]);
        let merged = self.spell.call("merge", &[builder, entry]);
        self.spell.call("result", &[merged])
    }

    /// Whether there are dictionaries from `key` to `value`, of those that the generator makes.
    pub(super) fn is_dict(&self, key: &Type, value: &Type) -> bool {
        let holds_values = matches!(value, Type::Vec(_)) || is_reducible(value);
        holds_values && !is_no_key(key)
    }

    pub(super) fn key_exists(&mut self) -> String {
        let (key, value) = (self.key_ty(), self.reducible_ty());
        let (of, wanted) = (self.expr(&Type::dict(key.clone(), value)), self.expr(&key));
        match self.tape.by_place(&["keyexists", "is_empty", "contains"]) {
            "is_empty" => self.spell.call("is_empty", &[of]),
            "contains" => {
                let keys = self.spell.call("keys", &[of]);
                self.spell.call("contains", &[keys, wanted])
            }
            exists => self.spell.call(exists, &[of, wanted]),
        }
    }

    /// What a dictionary of `ty`s holds for a key.
    pub(super) fn looked_up(&mut self, ty: &Type) -> String {
        let key = self.key_ty();
        if !self.is_dict(&key, ty) {
            return self.leaf(ty);
        }
        let of = self.expr(&Type::dict(key.clone(), ty.clone()));
        let wanted = self.expr(&key);
        match self.tape.pick(4) {
            0 => self.spell.lookup(&of, &wanted),
            1 if is_optional(ty) && self.tape.by_place(&[false, true]) => {
                let (found, other) = (self.spell.call("get", &[of, wanted]), self.leaf(ty));
                self.spell.call("unwrap_or", &[found, other])
            }
            1 => {
                let found = self.spell.call("optlookup", &[of, wanted]);
                self.spell.field(&found, 1)
            }
            _ => {
                let (other, d, k) = (self.expr(ty), self.name(), self.name());
                let there = self.spell.call("keyexists", &[d.clone(), k.clone()]);
                let found = self.spell.lookup(&d, &k);
                let body = self.spell.choice(&there, &found, &other);
                let body = self.spell.binding(&k, &key, &wanted, &body);
                self.spell.binding(&d, &Type::dict(key, ty.clone()), &of, &body)
            }
        }
    }

    /// Elements of a dictionary, or of its groups, beside those of a vector.
    pub(super) fn joined(&mut self, left: &Type, right: &Type) -> Option<String> {
        let key = self.key_ty();
        let value = match is_reducible(right) && self.tape.by_place(&[false, true]) {
            true => right.clone(),
            false => Type::vec(right.clone()),
        };
        if matches!(right, Type::Vec(_)) || !self.is_dict(&key, &value) {
            return None;
        }
        let vector = self.expr(&Type::vec(left.clone()));
        let of = self.expr(&Type::dict(key.clone(), value));
        let keys = self.function(left, None, |this| this.expr(&key));
        if !is_optional(right) || self.tape.by_place(&[true, false]) {
            return Some(self.spell.over_elements("join", &[vector, of, keys], true));
        }
        let joined = self.spell.over_elements("left_join", &[vector, of, keys], true);
        let (p, other) = (self.name(), self.leaf(right));
        let (x, y) = (self.spell.field(&p, 0), self.spell.field(&p, 1));
        let y = self.spell.call("unwrap_or", &[y, other]);
        let pair = self.spell.tuple(&[x, y]);
        let closure = self.spell.closure(&[p], None, &pair);
        Some(self.spell.over_elements("map", &[joined, closure], true))
    }

    /// The elements of a vector whose keys a dictionary has, or has not.
    pub(super) fn half_joined(&mut self, element: &Type, function: &str) -> String {
        let (key, value) = (self.key_ty(), self.reducible_ty());
        let vector = self.expr(&Type::vec(element.clone()));
        let of = self.expr(&Type::dict(key.clone(), value));
        let keys = self.function(element, None, |this| this.expr(&key));
        self.spell.over_elements(function, &[vector, of, keys], true)
    }

    /// `dictmerger[K,V,+]`, or `groupmerger[K,V]` for dictionaries of vectors.
    pub(super) fn dict_builder(&mut self, key: &Type, value: &Type, op: ReduceOp) -> String {
        let key = self.spell.ty(key);
        match value {
            Type::Vec(element) => format!("groupmerger[{key}, {}]", self.spell.ty(element)),
            _ => format!("dictmerger[{key}, {}, {op}]", self.spell.ty(value)),
        }
    }
}
