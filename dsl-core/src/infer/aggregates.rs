//! Types of `aggregate`: several reductions of the elements of each key, in one loop and one dictionary.
//!
//! The parameter of its function is no value, but the name of a group. What the function asks of it, as in `g.sum(f)`, is a part of what is
//! folded for each key; where it stands, it is that part when the fold is finished. So the typed function is one of all parts, which is what its
//! parameter is then. It is applied to the values of the dictionary, unless it gives the parts as they are.

use proc_macro2::Span;
use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::scalar::{BinaryOp, Const};

use super::condition::Check;
use super::groups::{Fold, Group, Part};
use super::ty::{By, Ty};
use super::typed::{Expr, ExprKind, Func, Iter, IterKind, Local};
use super::{Infer, Typed, bind, builtins, fixed, forms, functions, no_fixed, no_times, times};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Empty, Entity};
use crate::syntax::ast::{self, BuilderKind, Ident, Pattern};

impl Infer<'_> {
    /// `v.aggregate(|x| key, |g| …)`
    pub(super) fn aggregate(
        &mut self,
        of: &ast::Expr,
        key: &ast::Expr,
        function: &ast::Expr,
        span: Span,
    ) -> Typed<Expr> {
        let (iters, element) = self.folded(of);
        if self.is_refused(key) || self.is_refused(function) {
            return Ok(self.hole(span));
        }
        let ([keyed], key) = self.function(key, [element.clone()])?;
        self.require(Check::Key(key.ty.clone(), span));
        let given = self.given(function)?;
        let closure = given.closure()?;
        let name = group_name(closure)?;
        let parts = self.unifier.fresh();
        let (group, mut body) = self.body_in(closure, given.sight.as_ref(), |this| {
            let group = this.local(&name.name, parts.clone(), name.span);
            this.scope.bind(name, group);
            this.groups.insert(group, Group { element: element.clone(), parts: Vec::new(), count: None });
            group
        });
        // There is a value for each key, if only to know the keys.
        if self.groups[&group].parts.is_empty() {
            self.counted(group, span);
        }
        let asked = self.groups.remove(&group).expect("it was there").parts;
        let types: Vec<Ty> = asked.iter().map(|part| part.value.1.ty.clone()).collect();
        let folded = match &types[..] {
            [ty] => ty.clone(),
            _ => Ty::structure(types),
        };
        if let [_] = &asked[..] {
            unwrap(&mut body, group);
        }
        self.expect(&Expr { ty: parts, ..self.local_expr(group, span) }, &folded)?;
        if !self.allows(&folded, span) {
            return Ok(self.hole(span));
        }
        self.require(Check::Value(body.ty.clone(), span));
        let is_whole = is_whole(&body, group, asked.len());
        let key_ty = key.ty.clone();
        let builder = self.folding(&asked, &key_ty, &folded, span);
        let dictionary = self.merged_each(iters, &element, builder, |x| {
            let of = |(local, value): (Local, Expr)| bind::wrap(vec![(local, x.clone())], value);
            let values = asked.into_iter().map(|part| of(part.value)).collect();
            pair(of((keyed, key)), together(values, folded.clone(), span), span)
        });
        if is_whole {
            return Ok(dictionary);
        }
        // Each key is there once, so that it does not matter which of two values is kept.
        let last = [Part { value: (group, body.clone()), fold: Fold::Last }];
        let builder = self.folding(&last, &key_ty, &body.ty, span);
        let entry = Ty::structure([key_ty.clone(), folded.clone()]);
        let scheme = builtins::find("tovec").and_then(|builtin| builtin.scheme.as_ref());
        let entries = ExprKind::Builtin(scheme.expect("in the table"), vec![dictionary]);
        let entries = Expr { kind: entries, ty: Ty::vec(entry.clone()), span };
        let iters = vec![Iter { kind: IterKind::All(entries), span }];
        Ok(self.merged_each(iters, &entry, builder, |entry| {
            let key = field(&entry, 0, key_ty);
            let value = field(&entry, 1, folded);
            pair(key, bind::wrap(vec![(group, value)], body), span)
        }))
    }

    /// A call that asks something of a group; `None` if its receiver is none.
    pub(super) fn group_call(
        &mut self,
        name: &Ident,
        args: &[ast::Expr],
        is_method: bool,
    ) -> Typed<Option<Expr>> {
        let Some((of, rest)) = args.split_first() else { return Ok(None) };
        let ast::ExprKind::Name(receiver) = &forms::strip(of).kind else { return Ok(None) };
        let Some(group) = self.scope.find(receiver).filter(|local| self.is_group(*local)) else {
            return Ok(None);
        };
        let span = name.span;
        let fold = match name.name.as_str() {
            "count" if rest.is_empty() => return Ok(Some(self.counted(group, span))),
            "sum" | "mean" | "count" => Fold::By(BinaryOp::Add),
            "product" => Fold::By(BinaryOp::Mul),
            "min" => Fold::By(BinaryOp::Min),
            "max" => Fold::By(BinaryOp::Max),
            "any" => Fold::By(BinaryOp::Or),
            "all" => Fold::By(BinaryOp::And),
            "first" => Fold::First,
            "last" => Fold::Last,
            other => {
                let message = format!("there is no `{other}` of a group");
                let error = Diagnostic::new(Code::UnknownFunction, span, message);
                return Err(error.help(
                    "a group has `sum`, `count`, `mean`, `min`, `max`, `product`, `any`, `all`, `first` and `last`; what needs \
                     all elements at once is a function of the groups of `group_by`",
                ));
            }
        };
        let before = self.locals.len();
        let element = self.groups[&group].element.clone();
        let (param, value) = match rest {
            [] => {
                let param = self.local("_", element, span);
                (param, self.local_expr(param, span))
            }
            [function] if name.name != "count" => {
                let ([param], value) = self.function(function, [element])?;
                (param, value)
            }
            _ => {
                self.arguments(rest);
                let form: &[&str] = if name.name == "count" { &["g"] } else { &["g", "|x| …"] };
                return Err(forms::wrong_number(name, args.len(), form, is_method));
            }
        };
        self.sees_no_results(&value, group.index()..before)?;
        let value = match name.name.as_str() {
            "any" | "all" => {
                self.expect(&value, &Ty::BOOL)?;
                value
            }
            "mean" => self.as_float(value, "mean")?,
            "first" | "last" => value,
            // A total is tested for overflow where the fold is finished.
            "sum" | "product" | "min" | "max"
                if let Some(scale) = self.unifier.seen(&value.ty).as_fixed() =>
            {
                let op = fold.op().expect("it reduces");
                if op == ReduceOp::Add {
                    let units = self.wide_units(value);
                    let folded = self.part(group, Part { value: (param, units), fold }, span);
                    return Ok(Some(Infer::fixed_total(scale, folded, span)));
                }
                if let Some(error) = no_fixed::not_reduced(scale, op, span) {
                    return Err(error);
                }
                let units = self.units_of(value);
                let folded = self.part(group, Part { value: (param, units), fold }, span);
                return Ok(Some(fixed::of_units(scale, folded, span)));
            }
            // As vectors of them are reduced: by their numbers.
            "sum" | "product" | "min" | "max"
                if let Some(temporal) = self.unifier.seen(&value.ty).as_temporal() =>
            {
                let op = fold.op().expect("it reduces");
                if let Some(error) = no_times::not_reduced(temporal, op, span) {
                    return Err(error);
                }
                let number = self.number(value);
                let folded = self.part(group, Part { value: (param, number), fold }, span);
                return Ok(Some(times::of_number(temporal, folded, span)));
            }
            _ => {
                let word = OF_NUMBERS.into_iter().find(|word| *word == name.name);
                self.check(Check::Number(value.ty.clone(), word.expect("one of these"), span))?;
                value
            }
        };
        self.require(Check::Value(value.ty.clone(), span));
        let folded = self.part(group, Part { value: (param, value), fold }, span);
        if name.name != "mean" {
            return Ok(Some(folded));
        }
        let count = self.counted(group, span);
        let ty = folded.ty.clone();
        let count = Expr { kind: ExprKind::Cast(Box::new(count)), ty: ty.clone(), span };
        let kind = ExprKind::Binary(BinaryOp::Div, Box::new(folded), Box::new(count));
        Ok(Some(Expr { kind, ty, span }))
    }

    /// Whether `local` names a group.
    pub(super) fn is_group(&self, local: Local) -> bool {
        self.groups.contains_key(&local)
    }

    /// How many elements a group has.
    fn counted(&mut self, group: Local, span: Span) -> Expr {
        if let Some(number) = self.groups[&group].count {
            return field(&self.local_expr(group, span), number as u32, Ty::I64);
        }
        let param = self.local("_", self.groups[&group].element.clone(), span);
        let one = Expr { kind: ExprKind::Const(Const::I64(1)), ty: Ty::I64, span };
        let number = self.groups[&group].parts.len();
        let count = self.part(group, Part { value: (param, one), fold: Fold::By(BinaryOp::Add) }, span);
        self.groups.get_mut(&group).expect("it is there").count = Some(number);
        count
    }

    /// One more part of what is folded, when that is finished.
    fn part(&mut self, group: Local, part: Part, span: Span) -> Expr {
        let ty = part.value.1.ty.clone();
        let whole = self.local_expr(group, span);
        let parts = &mut self.groups.get_mut(&group).expect("it is there").parts;
        parts.push(part);
        field(&whole, parts.len() as u32 - 1, ty)
    }

    fn local_expr(&self, local: Local, span: Span) -> Expr {
        Expr { kind: ExprKind::Local(local), ty: self.locals[local].ty.clone(), span }
    }

    /// Requires that what is folded of an element reads none of these variables, which the function of the groups has bound: they are
    /// known when all is folded.
    fn sees_no_results(&self, value: &Expr, bound: std::ops::Range<usize>) -> Typed<()> {
        if let ExprKind::Local(local) = value.kind
            && bound.contains(&local.index())
        {
            let message = format!("`{}` is known only when the groups are finished", self.locals[local].name);
            let error = Diagnostic::new(Code::UnknownName, value.span, message);
            return Err(error.help(
                "what is folded is computed of each element before: make what it needs in front of `aggregate`, or compute with \
                 what the groups have come to",
            ));
        }
        let mut outcome = Ok(());
        value.for_each_part(&mut |part| {
            if outcome.is_ok() {
                outcome = self.sees_no_results(part, bound.clone());
            }
        });
        outcome
    }

    /// The builder that folds these parts for each key.
    fn folding(&mut self, parts: &[Part], key: &Ty, folded: &Ty, span: Span) -> Expr {
        let op = parts[0].fold.op().filter(|_| parts.iter().all(|part| part.fold == parts[0].fold));
        let func = op.is_none().then(|| {
            let params = ["a", "b"].map(|name| self.local(name, folded.clone(), span));
            let [a, b] = params.map(|param| self.local_expr(param, span));
            let one = |(part, number): (&Part, u32)| {
                let ty = &part.value.1.ty;
                let [a, b] = [&a, &b].map(|whole| match parts {
                    [_] => whole.clone(),
                    _ => field(whole, number, ty.clone()),
                });
                match part.fold {
                    Fold::By(op) => {
                        Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty: ty.clone(), span }
                    }
                    Fold::First => a,
                    Fold::Last => b,
                }
            };
            let body = together(parts.iter().zip(0..).map(one).collect(), folded.clone(), span);
            Box::new(Func { params, body })
        });
        let by = op.map_or(By::Func, By::Op);
        let ty = Ty::builder(BuilderKind::DictMerger, Some(key.clone()), folded.clone(), Some(by));
        Expr { kind: ExprKind::Builder { init: None, func, empty: Empty::Identity }, ty, span }
    }
}

/// What is asked of numbers.
const OF_NUMBERS: [&str; 4] = ["sum", "product", "min", "max"];

/// The name that the function of an `aggregate` gives a group.
fn group_name(closure: &ast::Closure) -> Typed<&Ident> {
    match &closure.params[..] {
        [ast::Param { pattern: Pattern::Name(name), ty: None }] => Ok(name),
        [param] => {
            let error = Diagnostic::new(
                Code::GroupAsValue,
                param.pattern.span(),
                "a group has one name, and no type",
            );
            Err(error.help("write `|g| (g.count(), g.sum(|x| …))`"))
        }
        _ => Err(functions::arity(closure, 1)),
    }
}

/// The error of a group where a value is wanted.
pub(super) fn as_value(name: &Ident) -> Diagnostic {
    let message = format!("`{}` is a group, and no value", name.name);
    Diagnostic::new(Code::GroupAsValue, name.span, message)
        .help("ask it for something: `g.count()`, `g.sum(|x| …)`; its elements are those of `group_by`")
}

fn field(of: &Expr, number: u32, ty: Ty) -> Expr {
    Expr { kind: ExprKind::Field(Box::new(of.clone()), number), ty, span: of.span }
}

fn pair(key: Expr, value: Expr, span: Span) -> Expr {
    let ty = Ty::structure([key.ty.clone(), value.ty.clone()]);
    Expr { kind: ExprKind::Struct(vec![key, value]), ty, span }
}

/// Values of parts as one: one alone is that value, and others a struct.
fn together(mut values: Vec<Expr>, ty: Ty, span: Span) -> Expr {
    match values.len() {
        1 => values.remove(0),
        _ => Expr { kind: ExprKind::Struct(values), ty, span },
    }
}

/// Makes each use of the first part of `group` one of the group: it has no other parts.
fn unwrap(expr: &mut Expr, group: Local) {
    if let ExprKind::Field(of, _) = &expr.kind
        && matches!(of.kind, ExprKind::Local(local) if local == group)
    {
        expr.kind = ExprKind::Local(group);
    }
    expr.for_each_part_mut(&mut |part| unwrap(part, group));
}

/// Whether a function of groups gives all that is folded for `group`, and nothing else.
fn is_whole(body: &Expr, group: Local, parts: usize) -> bool {
    let is_group = |expr: &Expr| matches!(expr.kind, ExprKind::Local(local) if local == group);
    let is_part = |(part, number): (&Expr, u32)| matches!(&part.kind, ExprKind::Field(of, at) if *at == number && is_group(of));
    match &body.kind {
        ExprKind::Struct(fields) => {
            let is_named = matches!(&body.ty, Ty::Struct(fields) if fields.name().is_some());
            !is_named && fields.len() == parts && fields.iter().zip(0..).all(is_part)
        }
        _ => is_group(body),
    }
}
