//! Dictionaries, and what is looked up in them.

use weldment_runtime::reduce::ReduceOp;
use weldment_runtime::types::Type;

use super::Generator;

impl Generator<'_> {
    /// A dictionary; `value` is what [`Generator::is_dict`] allows.
    pub(super) fn dict(&mut self, key: &Type, value: &Type) -> String {
        match (self.tape.pick(6), value) {
            (3, Type::Vec(element)) => {
                let vector = self.expr(&Type::vec((**element).clone()));
                let function = self.function(element, |this, _| this.expr(key));
                return self.sugar("group_by", &vector, &function);
            }
            (4, _) => {
                let pairs = Type::vec(Type::structure([key.clone(), value.clone()]));
                return format!("to_dict({})", self.expr(&pairs));
            }
            (5, _) => {
                let (source, element) = self.source();
                let keys = self.function(&element, |this, _| this.expr(key));
                let values = self.function(&element, |this, _| this.expr(value));
                return format!("reduce_by({source}, {keys}, {values}, {})", self.associative(value));
            }
            _ => {}
        }
        let op = self.operator();
        let builder = dict_builder(key, value, op);
        self.looped(&builder, &|this| {
            let key = this.expr(key);
            let value = match value {
                Type::Vec(element) => this.expr(element),
                _ => this.merged(op, value),
            };
            format!("{{{key}, {value}}}")
        })
    }

    /// A dictionary of one key.
    pub(super) fn dict_literal(&mut self, key: &Type, value: &Type) -> String {
        let builder = dict_builder(key, value, ReduceOp::Add);
        let (key, value) = (self.leaf(key), self.leaf(value.element().unwrap_or(value)));
        format!("result(merge({builder}, {{{key}, {value}}}))")
    }

    /// Whether there are dictionaries from `key` to `value`, of those that the generator makes.
    pub(super) fn is_dict(&self, key: &Type, value: &Type) -> bool {
        let holds_values = matches!(value, Type::Vec(_)) || self.is_reducible(value);
        holds_values && !holds_dict(key)
    }

    pub(super) fn key_exists(&mut self) -> String {
        let (key, value) = (self.key_ty(), self.reducible_ty());
        format!("keyexists({}, {})", self.expr(&Type::dict(key.clone(), value)), self.expr(&key))
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
            0 => format!("lookup({of}, {wanted})"),
            1 => format!("optlookup({of}, {wanted}).$1"),
            _ => {
                let other = self.expr(ty);
                self.scoped(|this| {
                    let d = this.bind(&Type::dict(key.clone(), ty.clone()));
                    let k = this.bind(&key);
                    format!(
                        "(let {d} = {of}; let {k} = {wanted}; if(keyexists({d}, {k}), {d}[{k}], {other}))"
                    )
                })
            }
        }
    }
}

/// `dictmerger[K,V,+]`, or `groupmerger[K,V]` for dictionaries of vectors.
fn dict_builder(key: &Type, value: &Type, op: ReduceOp) -> String {
    match value {
        Type::Vec(element) => format!("groupmerger[{key},{element}]"),
        _ => format!("dictmerger[{key},{value},{op}]"),
    }
}

fn holds_dict(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) => false,
        Type::Vec(element) => holds_dict(element),
        Type::Struct(fields) => fields.iter().any(holds_dict),
        Type::Dict(..) => true,
    }
}
