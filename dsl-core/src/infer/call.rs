//! Types of calls: the language's own functions, sugar, and the user's macros.

use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::scalar::{BinaryOp, MathFn};

use super::condition::Check;
use super::scope::Item;
use super::ty::{By, Ty};
use super::typed::{Expr, ExprKind, Sought};
use super::{Infer, Typed, bind, builtins, expand, fixed, forms, habits, items, sugar, times, words};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::ir::Keep;
use crate::syntax::ast::{self, BuilderKind, Under};
use crate::syntax::names;

/// Whether `function` is written with one parameter.
fn is_of_one(function: &ast::Expr) -> bool {
    matches!(&function.kind, ast::ExprKind::Closure(closure) if closure.params.len() == 1)
}

impl<'a> Infer<'a> {
    /// `name(args)` or `receiver.name(rest of args)`
    pub(super) fn call(
        &mut self,
        whole: &ast::Expr,
        name: &ast::Ident,
        turbofish: Option<&ast::Type>,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Expr> {
        if !is_method && self.names_function(name) {
            let function = ast::Expr { kind: ast::ExprKind::Name(name.clone()), span: name.span };
            return self.apply(&function, args);
        }
        if !is_method && self.scope.find(name).is_some() {
            let message = format!("`{}` is a value, not a function", name.name);
            let error = Diagnostic::new(Code::ValueCalled, name.span, message);
            self.arguments(args);
            return Err(error.help("a product is written with `*`, and an element of a vector `v[i]`"));
        }
        let is_own = self.find_macro(name).is_none() && (is_method || self.function_item(name).is_none());
        if name.name == "parse" && is_own {
            return self.parse(name, turbofish, args, is_method);
        }
        if is_own
            && is_method
            && let Some(rescaled) = self.rescale(name, turbofish, args)?
        {
            return Ok(rescaled);
        }
        let typed = self.resolved_call(whole, name, args, is_method)?;
        if let Some(ty) = turbofish {
            let ty = self.ty(ty);
            let outcome = self.expect(&typed, &ty);
            if self.report(outcome).is_none() {
                return Ok(Expr { ty, ..typed });
            }
        }
        Ok(typed)
    }

    fn resolved_call(
        &mut self,
        whole: &ast::Expr,
        name: &ast::Ident,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Expr> {
        if self.is_users(name) {
            if let Some(definition) = self.find_macro(name) {
                return self.macro_call(definition, name, args, is_method);
            }
            if !is_method && let Some(function) = self.function_item(name) {
                return self.item_call(function, name, args, is_method);
            }
            if !is_method
                && self.scope.type_param(&name.name).is_some()
                && let [value] = &args[..]
            {
                let named = ast::NamedType { name: name.clone(), args: Vec::new() };
                let ty = ast::Type { kind: ast::TypeKind::Name(Box::new(named)), span: name.span };
                return self.cast_to(value, &ty, name.span);
            }
            if !is_method && self.find_struct(name).is_some() {
                return Ok(self.tuple_struct(name, args));
            }
            if !is_method && let Some(alias) = self.alias(name) {
                return self.alias_call(name, alias, args);
            }
            if !is_method && let Some(made) = self.language_made(name, args)? {
                return Ok(made);
            }
        }
        if !is_method
            && let Some((first, rest)) = name.name.split_once("::")
            && !names::is_capital(rest)
        {
            let first = ast::Ident { name: first.to_owned(), ..name.clone() };
            if let Some(made) = self.time_from(&first, rest, args)? {
                return Ok(made);
            }
            let value = self.constant_of(&first, rest, name.span);
            self.arguments(args);
            let value = value?;
            if self.unifier.is_error(&value.ty) {
                return Ok(value);
            }
            let error = Diagnostic::new(Code::NeedsFunction, name.span, "expected a function, found a value");
            return Err(error.help("leave out the parentheses"));
        }
        if forms::is_transparent(name, args) {
            if let Some(elements) = self.fixed_array_call(name, args)? {
                return Ok(elements);
            }
            if let Some(pairs) = self.pairs_call(name, args)? {
                return Ok(pairs);
            }
            return Ok(self.expr(&args[0]));
        }
        let peeked = self.peeked.len();
        let typed = self.own_call(whole, name, args, is_method);
        // What a call has not typed for good, as it is refused, is nobody's.
        self.peeked.truncate(peeked);
        if let Some(typed) = typed? {
            return Ok(typed);
        }
        // The methods of the language are meant where one has the same name.
        if let Some(function) = self.function_item(name) {
            return self.item_call(function, name, args, is_method);
        }
        let rest = if is_method { &args[1..] } else { &args[..] };
        let receiver = is_method.then(|| self.expr(&args[0]));
        self.arguments(rest);
        self.refuse(&name.name, self.unknown_function(name, receiver.as_ref()));
        Ok(self.hole(name.span))
    }

    /// A call of one of the language's own functions, or of sugar; `None` if `name` is neither.
    fn own_call(
        &mut self,
        whole: &ast::Expr,
        name: &ast::Ident,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Option<Expr>> {
        if let Some(typed) = self.border_call(name, args)? {
            return Ok(Some(typed));
        }
        if let Some(typed) = self.column_call(name, args)? {
            return Ok(Some(typed));
        }
        if let Some(typed) = self.rows_call(name, args)? {
            return Ok(Some(typed));
        }
        if let Some(typed) = self.group_call(name, args, is_method)? {
            return Ok(Some(typed));
        }
        if let Some(typed) = self.time_call(name, args, is_method)? {
            return Ok(Some(typed));
        }
        if let Some(typed) = self.fixed_call(name, args, is_method)? {
            return Ok(Some(typed));
        }
        if let Some(typed) = self.cursor_call(name, args, is_method)? {
            return Ok(Some(typed));
        }
        if let Some(typed) = self.along_call(name, args, is_method)? {
            return Ok(Some(typed));
        }
        if let Some(typed) = self.text_call(name, args, is_method)? {
            return Ok(Some(typed));
        }
        if let Some(typed) = self.option_call(name, args, is_method)? {
            return Ok(Some(typed));
        }
        if let Some(typed) = self.fixed_array_call(name, args)? {
            return Ok(Some(typed));
        }
        if let Some(typed) = self.selection(name, args, is_method)? {
            return Ok(Some(typed));
        }
        if let Some(typed) = self.dbg_call(name, args, is_method)? {
            return Ok(Some(typed));
        }
        if let Some(typed) = self.join_call(name, args, is_method)? {
            return Ok(Some(typed));
        }
        if let Some(typed) = self.array_call(name, args, is_method)? {
            return Ok(Some(typed));
        }
        if let Some(typed) = self.builtin(whole, name, args, is_method)? {
            return Ok(Some(typed));
        }
        // Some of the table is for the table alone.
        if self.is_users(name) && !sugar::NAMES.contains(&name.name.as_str()) {
            return Ok(None);
        }
        let Some(definition) = sugar::definition(&name.name) else { return Ok(None) };
        self.sugar(&definition, name, args, is_method).map(Some)
    }

    /// Types the arguments of a call that is refused, for mistakes of their own. What a function would be called with
    /// is not known.
    pub(super) fn arguments(&mut self, args: &[ast::Expr]) {
        for arg in args {
            let is_value = match &arg.kind {
                ast::ExprKind::Closure(_) | ast::ExprKind::Operator(_) => false,
                ast::ExprKind::Name(name) => !self.names_function(name) && self.function_item(name).is_none(),
                _ => true,
            };
            if is_value {
                self.expr(arg);
            }
        }
    }

    /// Refuses a call that has not as many arguments as `form`.
    pub(super) fn expect_args(
        &mut self,
        name: &ast::Ident,
        args: &[ast::Expr],
        form: &[&str],
        is_method: bool,
    ) -> Typed<()> {
        if args.len() == form.len() {
            return Ok(());
        }
        self.arguments(args);
        Err(forms::wrong_number(name, args.len(), form, is_method))
    }

    fn unknown_function(&self, name: &ast::Ident, receiver: Option<&Expr>) -> Diagnostic {
        let what = if receiver.is_some() { "method" } else { "function" };
        let mut known: Vec<&str> = words::functions().collect();
        known.extend(self.macros.keys());
        let temporal = receiver.and_then(|receiver| self.unifier.seen(&receiver.ty).as_temporal());
        known.extend(temporal.into_iter().flat_map(times::methods_of).map(|method| -> &str { method }));
        let is_fixed = receiver.is_some_and(|receiver| self.unifier.seen(&receiver.ty).as_fixed().is_some());
        known.extend(fixed::methods().filter(|_| is_fixed).map(|method| -> &str { method }));
        let functions = self.items.iter().filter(|(_, item)| matches!(item, Item::Function(_)));
        known.extend(functions.map(|(name, _)| *name));
        let message = format!("there is no {what} `{}`", name.name);
        let error = Diagnostic::new(Code::UnknownFunction, name.span, message);
        if self.scope.is_in_welded() && self.items.contains_key(name.name.as_str()) {
            return error.help(items::NOT_WELDED);
        }
        if let Some(instead) = habits::instead_of(&name.name, receiver.is_some()) {
            return error.help(instead);
        }
        match nearest(&name.name, known.into_iter()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None if names::is_static(&name.name) => error.help(
                "a kernel is called where it is `#[welded]` in Rust; a program that is text has the function before its closure, \
                 `fn f(v: &[f64]) -> f64 { … }`. A struct of this name is found where it stands as a type, too",
            ),
            None => match receiver.and_then(|receiver| self.chapter_of(&receiver.ty)) {
                Some(chapter) => error.help(format!(
                    "the guide lists those of the language under {chapter}; one of yours is a function in front of the program, \
                     `fn {}(…) -> … {{ … }}`",
                    name.name
                )),
                None => error.help(format!(
                    "one of yours stands in front of the program, `fn {}(…) -> … {{ … }}`; the guide's reference lists those of \
                     the language",
                    name.name
                )),
            },
        }
    }

    /// As [`Infer::sugar`], by the name in the table of what `name` calls there.
    pub(super) fn sugar_of(
        &mut self,
        table: &str,
        name: &ast::Ident,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Expr> {
        let definition = sugar::definition(table).expect("in the table");
        self.sugar(&definition, name, args, is_method)
    }

    pub(super) fn sugar(
        &mut self,
        definition: &ast::Macro,
        name: &ast::Ident,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Expr> {
        self.expect_args(name, args, &forms::of_sugar(definition), is_method)?;
        self.mark += 1;
        let (body, nodes) = expand::expand(definition, args, self.mark, Some(name.span));
        if !self.enter_sugar(nodes, name.span) {
            return Ok(self.hole(name.span));
        }
        let typed = self.expr(&body);
        self.leave_sugar();
        Ok(typed)
    }

    /// A vector or an array that is to be written to memory, or not.
    fn kept(&mut self, keep: Keep, of: &ast::Expr, span: Span) -> Typed<Expr> {
        let of = match self.is_array(of) {
            true => self.expr(of),
            false => {
                let element = self.unifier.fresh();
                self.vector(of, &element)
            }
        };
        let ty = of.ty.clone();
        Ok(Expr { kind: ExprKind::Keep(keep, Box::new(of)), ty, span })
    }

    /// A zip or range as a vector: it is written to memory, unless fusion finds otherwise.
    pub(super) fn collected(&mut self, expr: &ast::Expr) -> Typed<Expr> {
        let name = ast::Ident { name: "collected".into(), mark: 0, span: expr.span };
        self.sugar_of("collected", &name, &Rc::from([expr.clone()]), false)
    }

    /// The language's own functions. `None` if `name` is not one of them.
    fn builtin(
        &mut self,
        whole: &ast::Expr,
        name: &ast::Ident,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Option<Expr>> {
        let span = name.span;
        let known = builtins::called(name, self.is_users(name));
        if let Some(builtin) = known
            && let Some(scheme) = &builtin.scheme
            && args.len() == builtin.form.len()
        {
            let (args, ty) = self.by_scheme(scheme, args, span)?;
            return Ok(Some(Expr { kind: ExprKind::Builtin(scheme, args), ty, span }));
        }
        match (name.name.as_str(), &args[..]) {
            ("merge", [builder, value]) => self.merge(builder, value, span),
            ("result", [builder]) => self.result(builder, span),
            ("lookup", [of, key]) => self.lookup_in(of, key, span),
            ("iterate", [init, function]) => self.iterate(init, function, span),
            // As upstream, a function of one parameter is a key; that of `sort_by` is a comparator.
            ("sort", [vector, function]) => {
                let is_key = is_of_one(&self.given(function)?.form);
                if self.is_users(name) && is_key {
                    let args = Rc::from([vector.clone(), function.clone()]);
                    self.sugar_of("sort_by_key", name, &args, false)
                } else {
                    self.sort(vector, function, span)
                }
            }
            ("min" | "max", [x, y]) => {
                let (x, y) = self.pair(x, y)?;
                let op = if name.name == "min" { BinaryOp::Min } else { BinaryOp::Max };
                self.combined(op, x, y, span)
            }
            ("min" | "max", [_]) => {
                let table = if name.name == "min" { "least" } else { "greatest" };
                self.sugar_of(table, name, args, false)
            }
            ("nonempty_min", []) if !self.is_users(name) => Ok(self.nonempty(ReduceOp::Min, span)),
            ("nonempty_max", []) if !self.is_users(name) => Ok(self.nonempty(ReduceOp::Max, span)),
            ("reduce", [of, function]) => self.reduce(of, function, span),
            ("fold", [of, init, function]) => self.fold(of, init, function, span),
            ("holds_for_any", [of, function]) if !self.is_users(name) && self.is_array(of) => {
                self.sugar_of("any_point", name, args, false)
            }
            ("holds_for_any", [of, function]) if !self.is_users(name) => {
                self.search(of, function, Sought::Whether, span)
            }
            ("first_where", [of, function]) if !self.is_users(name) => {
                self.search(of, function, Sought::Position, span)
            }
            ("aggregate", [of, key, function]) => self.aggregate(of, key, function, span),
            ("powi", [x, n]) => self.integer_power(x, n, span),
            ("store", [of]) => self.kept(Keep::Stored, of, span),
            ("inline", [of]) => self.kept(Keep::Inlined, of, span),
            ("keyed", [by]) if !self.is_users(name) => self.keyed(by, span),
            ("zip", [_, ..]) | ("iter", [_, _, _, _]) | ("rangeiter", [_, _, _]) => self.collected(whole),
            ("zip", []) => Err(forms::nothing_to_zip(name)),
            ("iter" | "rangeiter", _) => {
                self.arguments(args);
                let form = ["vector", "start", "end", "stride"];
                let form = if name.name == "iter" { &form[..] } else { &form[1..] };
                Err(forms::wrong_number(name, args.len(), form, is_method))
            }
            (other, _) => {
                if let Some(function) = MathFn::from_name(other) {
                    self.expect_args(name, args, forms::of_numbers(function.arity()), is_method)?;
                    return self.math(function, args, span).map(Some);
                }
                let Some(builtin) = known else { return Ok(None) };
                self.arguments(args);
                Err(forms::wrong_number(name, args.len(), builtin.form, is_method))
            }
        }
        .map(Some)
    }

    fn merge(&mut self, builder: &ast::Expr, value: &ast::Expr, span: Span) -> Typed<Expr> {
        let (builder, value) = (self.expr(builder), self.expr(value));
        if self.unifier.is_error(&builder.ty) {
            return Ok(self.hole(span));
        }
        let ty = self.unifier.shallow(&builder.ty);
        let Some(merged) = ty.merged() else {
            return Err(self.not_a_builder(&builder, "merge"));
        };
        let merged = match (&ty, self.unifier.shallow(&value.ty)) {
            // An index may be of any integer type.
            (Ty::Builder(of), Ty::Struct(fields))
                if of.kind.row().under == Under::Index && fields.len() == 2 =>
            {
                match self.unifier.shallow(&fields[0]) {
                    Ty::Scalar(index) if index.is_integer() => {
                        Ty::structure([Ty::Scalar(index), of.value.clone()])
                    }
                    _ => merged,
                }
            }
            _ => merged,
        };
        let outcome =
            self.expect(&value, &merged).map_err(|error| match (&ty, self.unifier.shallow(&value.ty)) {
                (_, Ty::Struct(_)) => error,
                (Ty::Builder(of), _) if of.key.is_some() => error
                    .help("a dictionary is made of pairs: `{key, value}`, or `zip(keys, values)` of vectors"),
                _ => error,
            });
        self.report(outcome);
        Ok(Expr { kind: ExprKind::Merge(Box::new(builder), Box::new(value)), ty, span })
    }

    fn result(&mut self, builder: &ast::Expr, span: Span) -> Typed<Expr> {
        let builder = self.expr(builder);
        let is_wrong = match self.unifier.shallow(&builder.ty) {
            // The check of the builder tells it.
            Ty::Builder(of) if matches!((of.kind, of.by), (BuilderKind::Merger, Some(By::Op(_)))) => {
                self.cannot_reduce(&of.value)
            }
            ty => self.unifier.is_error(&ty),
        };
        if is_wrong {
            return Ok(self.hole(span));
        }
        match self.unifier.shallow(&builder.ty).built() {
            Some(ty) => Ok(Expr { kind: ExprKind::Result(Box::new(builder)), ty, span }),
            None => self.results(builder, span),
        }
    }

    /// The results of a struct of builders, `result({a, b})`.
    fn results(&mut self, builders: Expr, span: Span) -> Typed<Expr> {
        let Ty::Struct(fields) = self.unifier.shallow(&builders.ty) else {
            return Err(self.not_a_builder(&builders, "result"));
        };
        let results =
            fields.iter().map(|field| self.unifier.shallow(field).built()).collect::<Option<Vec<_>>>();
        let Some(results) = results.filter(|results| !results.is_empty()) else {
            return Err(self.not_a_builder(&builders, "result"));
        };
        let expr = |kind, ty: &Ty| Expr { kind, ty: ty.clone(), span };
        let local = self.local("_", builders.ty.clone(), span);
        let whole = expr(ExprKind::Local(local), &builders.ty);
        let parts = fields.iter().zip(&results).zip(0..).map(|((field, result), number)| {
            let builder = expr(ExprKind::Field(Box::new(whole.clone()), number), field);
            expr(ExprKind::Result(Box::new(builder)), result)
        });
        let parts = ExprKind::Struct(parts.collect());
        let body = expr(parts, &Ty::structure(results));
        Ok(bind::wrap(vec![(local, builders)], body))
    }

    fn not_a_builder(&self, expr: &Expr, what: &str) -> Diagnostic {
        let found = self.unifier.show(&expr.ty);
        Diagnostic::new(Code::NeedsBuilder, expr.span, format!("`{what}` needs a builder, found `{found}`")).help(
            "a builder is what `appender[f64]`, `merger[f64, +]` and the like make, and what `for` returns",
        )
    }

    fn math(&mut self, function: MathFn, args: &[ast::Expr], span: Span) -> Typed<Expr> {
        let first = self.expr(&args[0]);
        let mut typed = vec![first];
        for arg in &args[1..] {
            let ty = typed[0].ty.clone();
            typed.push(self.typed(arg, &ty));
        }
        let ty = typed[0].ty.clone();
        self.check(if function.takes_integers() {
            Check::Number(ty.clone(), function.name(), typed[0].span)
        } else {
            Check::Float(ty.clone(), function.name(), self.written(&typed[0]), typed[0].span)
        })?;
        let ty = if function == MathFn::IsNan { Ty::BOOL } else { ty };
        Ok(Expr { kind: ExprKind::Math(function, typed), ty, span })
    }
}
