//! Builders: loops by hand, with several merges, conditions and nested loops, and several builders in one loop.

use weldment_runtime::reduce::ReduceOp;
use weldment_runtime::types::{Scalar, Type};

use super::{Generator, braced};

/// Writes what is merged.
type Merged<'m, 't> = &'m dyn Fn(&mut Generator<'t>) -> String;

impl<'t> Generator<'t> {
    /// A reduction to a `ty`, which operators reduce.
    pub(super) fn folded(&mut self, ty: &Type) -> String {
        let op = self.operator();
        if self.tape.pick(3) == 0
            && let Some(sugar) =
                [(ReduceOp::Add, "sum"), (ReduceOp::Mul, "product")].iter().find(|s| s.0 == op)
        {
            let vector = self.over_vector("map", |this| this.merged(op, ty));
            return format!("({vector}).{}()", sugar.1);
        }
        let init = self.init(op, ty);
        self.looped(&format!("merger[{ty},{op}]{init}"), &|this| this.merged(op, ty))
    }

    fn init(&mut self, op: ReduceOp, ty: &Type) -> String {
        match self.tape.pick(2) {
            0 => String::new(),
            _ => format!("({})", self.merged(op, ty)),
        }
    }

    pub(super) fn appended(&mut self, element: &Type) -> String {
        let hint = match self.tape.pick(4) {
            3 => format!("({}L)", self.tape.pick(100)),
            _ => String::new(),
        };
        self.looped(&format!("appender[{element}]{hint}"), &|this| this.expr(element))
    }

    /// A `vecmerger` of a vector of `element`s, mostly merged into inside of it.
    pub(super) fn scattered(&mut self, element: &Type) -> String {
        let op = self.operator();
        let vector = {
            let closure = self.function(element, |this, _| this.merged(op, element));
            format!("map({}, {closure})", self.expr(&Type::vec(element.clone())))
        };
        let (len, faults) = (self.name(), self.tape.pick(4) == 3);
        let inner = self.looped(&format!("vecmerger[{element},{op}]({len})"), &|this| {
            let index = this.expr(&Type::Scalar(Scalar::I64));
            let value = this.merged(op, element);
            match faults {
                true => format!("{{{index}, {value}}}"),
                false => format!("{{i64(u64({index}) % max(u64(len({len})), 1u64)), {value}}}"),
            }
        });
        // What is empty takes no merges.
        match faults {
            true => format!("(let {len} = {vector}; {inner})"),
            false => format!("(let {len} = {vector}; if(len({len}) == 0L, {len}, {inner}))"),
        }
    }

    /// `result(for(source, builder, …))`, or merges alone.
    pub(super) fn looped(&mut self, builder: &str, merged: Merged<'_, 't>) -> String {
        match self.tape.pick(8) {
            6 => format!("result(merge({builder}, {}))", merged(self)),
            7 => {
                let before = merged(self);
                let inner = self.for_loop(&format!("merge({builder}, {before})"), merged);
                format!("result(merge({inner}, {}))", merged(self))
            }
            _ => {
                let inner = self.for_loop(builder, merged);
                format!("result({inner})")
            }
        }
    }

    /// `for(source, builder, |b, i, x| update)`
    fn for_loop(&mut self, builder: &str, merged: Merged<'_, 't>) -> String {
        let (source, element) = self.source();
        let b = self.name();
        let body = self.scoped(|this| {
            let (i, x) = (this.bind(&Type::Scalar(Scalar::I64)), this.bind(&element));
            let update = this.update_with(&b, merged);
            format!("|{b}, {i}, {x}| {update}")
        });
        format!("for({source}, {builder}, {body})")
    }

    /// What becomes of the builder `b` in an iteration.
    fn update_with(&mut self, b: &str, merged: Merged<'_, 't>) -> String {
        match if self.fuel == 0 { 0 } else { self.tape.pick(8) } {
            4 => format!("if({}, merge({b}, {}), {b})", self.bool(), merged(self)),
            5 => {
                let (cond, then) = (self.bool(), self.update_with(b, merged));
                format!("if({cond}, {then}, merge({b}, {}))", merged(self))
            }
            6 => {
                let (first, once) = (merged(self), self.name());
                let rest = self.update_with(&once, merged);
                format!("(let {once} = merge({b}, {first}); {rest})")
            }
            7 => {
                self.fuel -= 1;
                self.for_loop(b, merged)
            }
            _ => format!("merge({b}, {})", merged(self)),
        }
    }

    /// A struct of vectors and numbers as the results of one loop.
    pub(super) fn results_of_one_loop(&mut self, fields: &[Type]) -> Option<String> {
        let buildable = |ty: &Type| matches!(ty, Type::Vec(_)) || self.is_reducible(ty);
        if fields.len() < 2 || !fields.iter().all(buildable) {
            return None;
        }
        let ops: Vec<ReduceOp> = fields.iter().map(|_| self.operator()).collect();
        let mut builders = Vec::new();
        for (field, op) in fields.iter().zip(&ops) {
            builders.push(match field {
                Type::Vec(element) => format!("appender[{element}]"),
                _ => format!("merger[{field},{op}]{}", self.init(*op, field)),
            });
        }
        let (source, element) = self.source();
        let (b, all) = (self.name(), self.name());
        let update = self.scoped(|this| {
            let (i, x) = (this.bind(&Type::Scalar(Scalar::I64)), this.bind(&element));
            let updates = |this: &mut Self| {
                let mut updates = Vec::new();
                for (number, (field, op)) in fields.iter().zip(&ops).enumerate() {
                    let merged = |this: &mut Self| match field {
                        Type::Vec(element) => this.expr(element),
                        _ => this.merged(*op, field),
                    };
                    updates.push(this.update_with(&format!("{b}.${number}"), &merged));
                }
                braced(&updates)
            };
            let update = match this.tape.pick(3) {
                2 => format!("if({}, {}, {b})", this.bool(), updates(this)),
                _ => updates(this),
            };
            format!("|{b}, {i}, {x}| {update}")
        });
        let results: Vec<String> =
            (0..fields.len()).map(|number| format!("result({all}.${number})")).collect();
        let builders = braced(&builders);
        Some(format!("(let {all} = for({source}, {builders}, {update}); {})", braced(&results)))
    }

    /// A value of type `ty` to merge by `op`. Where folds are to be exact, floats are whole numbers of at most 64,
    /// and factors powers of two.
    pub(super) fn merged(&mut self, op: ReduceOp, ty: &Type) -> String {
        if let Type::Struct(fields) = ty {
            let fields: Vec<String> = fields.iter().map(|field| self.merged(op, field)).collect();
            return braced(&fields);
        }
        let value = self.expr(ty);
        let suffix = match ty {
            Type::Scalar(Scalar::F64) => "",
            Type::Scalar(Scalar::F32) => "f",
            _ => return value,
        };
        match op {
            _ if !self.limits.exact_folds => value,
            ReduceOp::Add => format!("trunc(min(max({value}, -64.0{suffix}), 64.0{suffix}))"),
            ReduceOp::Mul => format!("if({value} < 0.0{suffix}, -1.0{suffix}, 2.0{suffix})"),
            ReduceOp::Min | ReduceOp::Max => value,
        }
    }

    pub(super) fn is_reducible(&self, ty: &Type) -> bool {
        match ty {
            Type::Scalar(scalar) => *scalar != Scalar::Bool,
            Type::Struct(fields) => fields.iter().all(|field| self.is_reducible(field)),
            _ => false,
        }
    }
}
