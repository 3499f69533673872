//! Builders: loops by hand, with several merges, conditions and nested loops, and several builders in one loop.

use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::types::{Scalar, Type};

use super::data::is_reducible;
use super::{Folds, Generator};

/// Writes what is merged.
pub(super) type Merged<'m, 't> = &'m dyn Fn(&mut Generator<'t>) -> String;

impl<'t> Generator<'t> {
    /// A reduction to a `ty`, which operators reduce.
    pub(super) fn folded(&mut self, ty: &Type) -> String {
        let op = self.operator();
        if self.tape.pick(3) == 0
            && let Some(sugar) =
                [(ReduceOp::Add, "sum"), (ReduceOp::Mul, "product")].iter().find(|s| s.0 == op)
        {
            let vector = self.over_vector("map", |this| this.merged(op, ty));
            if op == ReduceOp::Add && matches!(ty, Type::Scalar(_)) && self.tape.by_place(&[true, false]) {
                return self.spell.over_elements("dot", &[vector.clone(), vector], false);
            }
            return self.spell.over_elements(sugar.1, &[vector], false);
        }
        let init = self.init(op, ty);
        let builder = format!("merger[{}, {op}]{init}", self.spell.builder_ty(ty));
        self.looped(&builder, &|this| this.merged(op, ty))
    }

    /// The sum of those elements of a vector that are kept, which moves from lane to lane when it is fused.
    pub(super) fn sum_of_some(&mut self, ty: &Type) -> String {
        let vector = self.leaf(&Type::vec(ty.clone()));
        let keep = self.function(ty, None, |this| {
            let suffix = if *ty == Type::Scalar(Scalar::F32) { "f" } else { "" };
            format!("({} > -{}.5{suffix})", this.leaf(ty), this.tape.pick(4))
        });
        let kept = self.spell.over_elements("filter", &[vector, keep], true);
        let summand = self.function(ty, None, |this| this.merged(ReduceOp::Add, ty));
        let summands = self.spell.over_elements("map", &[kept, summand], true);
        self.spell.over_elements("sum", &[summands], false)
    }

    fn init(&mut self, op: ReduceOp, ty: &Type) -> String {
        match self.tape.pick(2) {
            0 => String::new(),
            _ => format!("({})", self.merged(op, ty)),
        }
    }

    pub(super) fn appended(&mut self, element: &Type) -> String {
        let builder = self.spell.appender(element);
        let hint = match self.tape.pick(4) {
            3 => format!("({}L)", self.tape.pick(100)),
            _ => String::new(),
        };
        self.looped(&format!("{builder}{hint}"), &|this| this.expr(element))
    }

    /// A `vecmerger` of a vector of `element`s, mostly merged into inside of it.
    pub(super) fn scattered(&mut self, element: &Type) -> String {
        let op = self.operator();
        let vector = {
            let closure = self.function(element, None, |this| this.merged(op, element));
            let over = self.expr(&Type::vec(element.clone()));
            self.spell.over_elements("map", &[over, closure], true)
        };
        let (start, faults) = (self.name(), self.tape.pick(4) == 3);
        let builder = format!("vecmerger[{}, {op}]({start})", self.spell.builder_ty(element));
        let len = self.spell.call("len", std::slice::from_ref(&start));
        let inner = self.looped(&builder, &|this| {
            let index = this.expr(&Type::I64);
            let value = this.merged(op, element);
            let index = match faults {
                true => index,
                false => format!("i64(u64({index}) % max(u64({len}), 1u64))"),
            };
            this.spell.tuple(&[index, value])
        });
        // What is empty takes no merges.
        let body = match faults {
            true => inner,
            false => self.spell.choice(&format!("({len} == 0L)"), &start, &inner),
        };
        self.spell.binding(&start, &Type::vec(element.clone()), &vector, &body)
    }

    /// `result(for(source, builder, …))`, or merges alone.
    pub(super) fn looped(&mut self, builder: &str, merged: Merged<'_, 't>) -> String {
        let built = match self.tape.pick(8) {
            6 => self.merge(builder, merged),
            7 => {
                let before = self.merge(builder, merged);
                let inner = self.for_loop(&before, merged);
                self.merge(&inner, merged)
            }
            _ => self.for_loop(builder, merged),
        };
        self.spell.call("result", &[built])
    }

    /// `merge(builder, value)`
    pub(super) fn merge(&mut self, builder: &str, merged: Merged<'_, 't>) -> String {
        let value = merged(self);
        self.spell.call("merge", &[builder.to_owned(), value])
    }

    /// `for(source, builder, |b, i, x| update)`
    pub(super) fn for_loop(&mut self, builder: &str, merged: Merged<'_, 't>) -> String {
        let (source, element) = self.source();
        let is_variable = builder.starts_with('b') && builder[1..].bytes().all(|byte| byte.is_ascii_digit());
        // Inside, a variable that the loop was started with is the loop's own builder.
        let (param, b) = match is_variable && self.tape.pick(3) == 2 {
            true => ("_".to_owned(), builder.to_owned()),
            false => {
                let b = self.name();
                (b.clone(), b)
            }
        };
        let body = self.for_each(|this| {
            let (i, x) = (this.bind(&Type::I64), this.bind(&element));
            let update = this.update_with(&b, merged);
            this.spell.closure(&[param, i, x], None, &update)
        });
        format!("for({source}, {builder}, {body})")
    }

    /// What becomes of the builder `b` in an iteration.
    pub(super) fn update_with(&mut self, b: &str, merged: Merged<'_, 't>) -> String {
        match if self.fuel == 0 { 0 } else { self.tape.pick(16) } {
            4 => {
                let (cond, then) = (self.bool(), self.merge(b, merged));
                self.spell.choice(&cond, &then, b)
            }
            5 => {
                let (cond, then) = (self.bool(), self.update_with(b, merged));
                let els = self.merge(b, merged);
                self.spell.choice(&cond, &then, &els)
            }
            6 => {
                let (first, once) = (self.merge(b, merged), self.name());
                let rest = self.update_with(&once, merged);
                format!("(let {once} = {first}; {rest})")
            }
            7 => {
                self.fuel -= 1;
                self.for_loop(b, merged)
            }
            8 => {
                self.fuel -= 1;
                let before = self.merge(b, merged);
                let inner = self.for_loop(&before, merged);
                self.merge(&inner, merged)
            }
            9 => self.through_closure(b, merged),
            10 => self.through_struct(b, merged),
            11 => self.through_iterate(b, merged),
            12 => {
                self.fuel -= 1;
                let (inner, els) = (self.for_loop(b, merged), self.merge(b, merged));
                self.known_choice(&inner, &els)
            }
            13 => {
                let update = self.update_with(b, merged);
                self.known_choice(&update, b)
            }
            _ => self.merge(b, merged),
        }
    }

    /// A struct of vectors and numbers as the results of one loop.
    pub(super) fn results_of_one_loop(&mut self, ty: &Type, fields: &[Type]) -> Option<String> {
        let buildable = |ty: &Type| matches!(ty, Type::Vec(_)) || is_reducible(ty);
        if fields.len() < 2 || !fields.iter().all(buildable) {
            return None;
        }
        let ops: Vec<ReduceOp> = fields.iter().map(|_| self.operator()).collect();
        let mut builders = Vec::new();
        for (field, op) in fields.iter().zip(&ops) {
            builders.push(match field {
                Type::Vec(element) => self.spell.appender(element),
                _ => format!("merger[{}, {op}]{}", self.spell.builder_ty(field), self.init(*op, field)),
            });
        }
        let (source, element) = self.source();
        let (all, apart) = (self.name(), self.tape.pick(3) == 2);
        let own: Vec<String> = fields.iter().map(|_| self.name()).collect();
        let update = self.for_each(|this| {
            let b = this.name();
            let (i, x) = (this.bind(&Type::I64), this.bind(&element));
            let parts: Vec<String> = match apart {
                true => own.clone(),
                false => (0..fields.len()).map(|number| this.spell.field(&b, number)).collect(),
            };
            let cond = if this.tape.pick(3) == 2 { Some(this.bool()) } else { None };
            let mut updates = Vec::new();
            for ((field, op), part) in fields.iter().zip(&ops).zip(&parts) {
                let merged = |this: &mut Self| match field {
                    Type::Vec(element) => this.expr(element),
                    _ => this.merged(*op, field),
                };
                updates.push(this.update_with(part, &merged));
            }
            let mut update = this.spell.tuple(&updates);
            if let Some(cond) = cond {
                let same = if apart { this.spell.tuple(&parts) } else { b.clone() };
                update = this.spell.choice(&cond, &update, &same);
            }
            let (param, update) = if apart { this.builders_apart(&b, &own, update) } else { (b, update) };
            this.spell.closure(&[param, i, x], None, &update)
        });
        let results: Vec<String> = (0..fields.len())
            .map(|number| {
                let built = self.spell.field(&all, number);
                self.spell.call("result", &[built])
            })
            .collect();
        let (builders, results) = (self.spell.tuple(&builders), self.make(ty, &results));
        Some(format!("(let {all} = for({source}, {builders}, {update}); {results})"))
    }

    /// The pattern that gives the builders in `whole` these names, and in Weld's spelling a name and `let`s before
    /// `body`.
    fn builders_apart(&mut self, whole: &str, names: &[String], body: String) -> (String, String) {
        if self.spell.is_rust() {
            return (format!("({})", names.join(", ")), body);
        }
        let mut lets = body;
        for (number, name) in names.iter().enumerate().rev() {
            let part = self.spell.field(whole, number);
            lets = format!("(let {name} = {part}; {lets})");
        }
        (whole.to_owned(), lets)
    }

    /// Whether `op` folds values of type `ty`, as they come, in any way to the same.
    pub(super) fn is_exact(&self, op: ReduceOp, ty: &Type) -> bool {
        let is_rounded = matches!(op, ReduceOp::Add | ReduceOp::Mul) && self.limits.folds != Folds::Free;
        match ty {
            Type::Scalar(scalar) => *scalar != Scalar::Bool && !(is_rounded && scalar.is_float()),
            Type::Struct(fields) => !fields.is_empty() && fields.iter().all(|field| self.is_exact(op, field)),
            _ => false,
        }
    }

    /// A value of type `ty` to merge by `op`. Where folds are to be exact, floats are whole numbers of at most 64,
    /// and factors powers of two; where they may be rounded, floats are not negative, and factors near one.
    pub(super) fn merged(&mut self, op: ReduceOp, ty: &Type) -> String {
        self.merged_as(op, ty, |this| this.expr(ty))
    }

    /// As [`Generator::merged`], where `value` gives values of type `ty`.
    pub(super) fn merged_as(
        &mut self,
        op: ReduceOp,
        ty: &Type,
        value: impl FnOnce(&mut Self) -> String,
    ) -> String {
        if let Type::Struct(fields) = ty {
            if self.limits.folds == Folds::Free && self.tape.pick(2) == 1 {
                return value(self);
            }
            let fields: Vec<String> = fields.iter().map(|field| self.merged(op, field)).collect();
            return self.make(ty, &fields);
        }
        let value = value(self);
        let suffix = match ty {
            Type::Scalar(Scalar::F64) => "",
            Type::Scalar(Scalar::F32) => "f",
            _ => return value,
        };
        match op {
            _ if self.limits.folds == Folds::Free => value,
            ReduceOp::Add if self.limits.folds == Folds::Rounded => {
                format!("min(abs({value}), 64.0{suffix})")
            }
            ReduceOp::Mul if self.limits.folds == Folds::Rounded => {
                format!("min(max({value}, 0.9375{suffix}), 1.0625{suffix})")
            }
            ReduceOp::Add => format!("trunc(min(max({value}, -64.0{suffix}), 64.0{suffix}))"),
            ReduceOp::Mul => {
                let (less, more) = (format!("-1.0{suffix}"), format!("2.0{suffix}"));
                self.spell.choice(&format!("({value} < 0.0{suffix})"), &less, &more)
            }
            ReduceOp::Min | ReduceOp::Max => value,
        }
    }
}
