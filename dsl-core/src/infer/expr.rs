//! Types of expressions: names, literals, operators, structs and vectors.

use proc_macro2::Span;
use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, UnaryOp};
use weldment_runtime::lang::types::Scalar;

use super::condition::Check;
use super::ty::{Mismatch, Ty};
use super::typed::{Expr, ExprKind};
use super::{Infer, Typed, advice, aggregates, bind, enums, functions, habits, items, no_times, views};
use crate::diagnostic::{Code, Diagnostic, nearest, position};
use crate::syntax::{ast, names};

impl Infer<'_> {
    /// Types an expression. One that is refused agrees with whatever its surroundings need.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Expr {
        if let Some(typed) = self.taken(expr) {
            return typed;
        }
        if !self.enter(expr.span) {
            return self.hole(expr.span);
        }
        let typed = self.try_expr(expr);
        self.leave();
        self.check_growth(expr.span);
        match self.report(typed) {
            Some(typed) => typed,
            None => self.hole(expr.span),
        }
    }

    /// What `expr` was typed as for its type alone, which is good now: whoever asked for the types of receivers would else type those of a chain
    /// once more for each link.
    fn taken(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let at = self.peeked.iter().rposition(|(place, _)| *place == std::ptr::from_ref(expr))?;
        Some(self.peeked.swap_remove(at).1)
    }

    /// Programs are long chains more often than deep nests, so what makes chains has functions of its own: without
    /// optimisation this frame would hold what every kind of expression needs.
    fn try_expr(&mut self, expr: &ast::Expr) -> Typed<Expr> {
        let span = expr.span;
        Ok(match &expr.kind {
            ast::ExprKind::Name(name) => return self.name(name),
            ast::ExprKind::Let(bindings, body) => self.let_in(bindings, body),
            ast::ExprKind::Unary(op, x) => return self.unary(*op, x, span),
            ast::ExprKind::Binary(op, x, y) => return self.binary(*op, x, y, span),
            ast::ExprKind::And(x, y) => self.logical(ExprKind::And, x, y, span),
            ast::ExprKind::Or(x, y) => self.logical(ExprKind::Or, x, y, span),
            ast::ExprKind::Ascribe(x, ty) => self.ascribed(x, ty),
            ast::ExprKind::Cast(x, to) => return self.cast_to(x, to, span),
            ast::ExprKind::If { cond, then, els } => return self.if_else(cond, then, els, span),
            ast::ExprKind::Match(choice) => return self.match_of(choice, span),
            ast::ExprKind::Field(x, index, spelling) => return self.field_of(x, (*index, *spelling), span),
            ast::ExprKind::Member(x, name) => return self.member_of(x, name, span),
            ast::ExprKind::Index(of, index) => return self.lookup_in(of, index, span),
            ast::ExprKind::Call { name, turbofish, args, is_method } => {
                return self.call(expr, name, turbofish.as_deref(), args, *is_method);
            }
            ast::ExprKind::Argument(args, at) => {
                let argument = &args[*at];
                return self.taken(argument).map_or_else(|| self.try_expr(argument), Ok);
            }
            ast::ExprKind::For { iters, builder, function } => {
                return self.for_loop(iters, builder, function, span);
            }
            _ => return self.other(expr),
        })
    }

    /// Types an expression that is no link of a chain.
    fn other(&mut self, expr: &ast::Expr) -> Typed<Expr> {
        let span = expr.span;
        let (kind, ty) = match &expr.kind {
            ast::ExprKind::Const(constant) => (ExprKind::Const(*constant), Ty::Scalar(constant.scalar())),
            ast::ExprKind::Integer(value) => (ExprKind::Integer(*value), self.unifier.literal(*value, span)),
            ast::ExprKind::Float(text) => (ExprKind::Float(text.clone()), self.unifier.float()),
            // The spelling without a `b` is that of texts.
            ast::ExprKind::Bytes(bytes, ty @ Scalar::I8) => {
                (ExprKind::Bytes(bytes.clone(), *ty), self.unifier.text())
            }
            ast::ExprKind::Bytes(bytes, ty) => {
                (ExprKind::Bytes(bytes.clone(), *ty), Ty::vec(Ty::Scalar(*ty)))
            }
            ast::ExprKind::Compare(op, x, y) => {
                let (x, y) = (self.expr(x), self.expr(y));
                return Ok(self.compared(*op, x, y, span));
            }
            ast::ExprKind::Mixed(mixed) => return self.mixed(mixed, span),
            ast::ExprKind::Path(name, path) => return self.constant_of(name, path, span),
            ast::ExprKind::Range(..) => return self.collected(expr),
            ast::ExprKind::Option(value) => return Ok(self.option(value.as_deref(), span)),
            ast::ExprKind::Struct(fields) => {
                let fields = fields.iter().map(|field| self.expr(field)).collect::<Vec<_>>();
                let ty = Ty::structure(fields.iter().map(|field| field.ty.clone()));
                if !self.allows(&ty, span) {
                    return Ok(self.hole(span));
                }
                (ExprKind::Struct(fields), ty)
            }
            ast::ExprKind::Vector(elements) => {
                let element = self.unifier.fresh();
                let elements = elements.iter().map(|x| self.typed(x, &element)).collect::<Vec<_>>();
                self.require(Check::Value(element.clone(), span));
                let ty = self.unifier.elements(element, elements.len());
                (ExprKind::Vector(elements), ty)
            }
            ast::ExprKind::Named { name, fields, rest } => {
                return Ok(self.struct_literal(name, fields, rest.as_deref()));
            }
            ast::ExprKind::Apply(function, args) => return self.apply(function, args),
            ast::ExprKind::Builder(builder) => return Ok(self.builder(builder, span)),
            ast::ExprKind::Deserialize(ty, bytes) => {
                let ty = self.ty(ty);
                let bytes = self.typed(bytes, &Ty::vec(Ty::Scalar(Scalar::U8)));
                self.require(Check::Value(ty.clone(), span));
                (ExprKind::Deserialize(Box::new(bytes)), ty)
            }
            ast::ExprKind::Cudf { symbol, ty, args } => {
                let result = ty.span;
                let ty = self.ty(ty);
                self.require(Check::Value(ty.clone(), span));
                let args = args.iter().map(|arg| self.value(arg)).collect();
                let kind = ExprKind::Call { symbol: symbol.name.clone(), args, result };
                return Ok(Expr { kind, ty, span: symbol.span });
            }
            ast::ExprKind::Operator(op) => {
                let message = format!("the operator `{op}` is not a value");
                return Err(Diagnostic::new(Code::FunctionAsValue, span, message)
                    .help("only `reduce_by` takes an operator, as its last argument"));
            }
            ast::ExprKind::Closure(closure) => return Err(functions::as_value(closure.span)),
            kind => unreachable!("{kind:?} is a link of chains"),
        };
        Ok(Expr { kind, ty, span })
    }

    /// `let pattern: ty = value; … body`
    fn let_in(&mut self, bindings: &[ast::Binding], body: &ast::Expr) -> Expr {
        let mark = self.scope.enter();
        let mut parts = Vec::new();
        for ast::Binding { pattern, ty, value } in bindings {
            if !self.spend(1, value.span) {
                break;
            }
            if ty.is_none() && self.names(pattern, value) {
                continue;
            }
            let value = match ty {
                Some(ty) => self.ascribed(value, ty),
                None => self.expr(value),
            };
            let (local, inner) = self.bind_pattern(pattern, &value.ty);
            parts.push((local, value));
            parts.extend(inner);
        }
        let body = self.expr(body);
        self.scope.leave(mark);
        bind::wrap(parts, body)
    }

    /// `x && y` or `x || y`, which `kind` makes.
    fn logical(
        &mut self,
        kind: fn(Box<Expr>, Box<Expr>) -> ExprKind,
        x: &ast::Expr,
        y: &ast::Expr,
        span: Span,
    ) -> Expr {
        let x = self.typed(x, &Ty::BOOL);
        if !self.enter_branch(span) {
            return self.hole(span);
        }
        let y = self.typed(y, &Ty::BOOL);
        self.leave_branch();
        Expr { kind: kind(Box::new(x), Box::new(y)), ty: Ty::BOOL, span }
    }

    fn ascribed(&mut self, x: &ast::Expr, ty: &ast::Type) -> Expr {
        let ty = self.ty(ty);
        self.typed(x, &ty)
    }

    /// `x as to` or `to(x)`
    pub(super) fn cast_to(&mut self, x: &ast::Expr, to: &ast::Type, span: Span) -> Typed<Expr> {
        let x = self.expr(x);
        let x = self.enum_number(x);
        let ty = self.ty(to);
        let scalar = match self.unifier.shallow(&ty) {
            Ty::Scalar(scalar) => scalar,
            Ty::Struct(fields) if let Some(half) = fields.as_half() => {
                return Ok(self.cast_to_half(half, x, span));
            }
            _ if self.unifier.is_error(&ty) => return Ok(self.hole(span)),
            other => return Err(self.no_cast(&other, to.span)),
        };
        if let (Some(of), Scalar::F64) = (self.unifier.seen(&x.ty).as_fixed(), scalar) {
            return Ok(self.fixed_to_f64(of, x, span));
        }
        self.require(Check::Cast(x.ty.clone(), scalar, span));
        Ok(Expr { kind: ExprKind::Cast(Box::new(x)), ty, span })
    }

    fn if_else(&mut self, cond: &ast::Expr, then: &ast::Expr, els: &ast::Expr, span: Span) -> Typed<Expr> {
        let cond = self.typed(cond, &Ty::BOOL);
        let both = |error: Diagnostic| error.note("both branches of an `if` have one type");
        if !self.enter_branch(span) {
            return Ok(self.hole(span));
        }
        let (then, els) = (self.expr(then), self.expr(els));
        self.leave_branch();
        self.no_cursor(&then)?;
        self.same(&then, &els).map_err(both)?;
        let ty = then.ty.clone();
        let kind = ExprKind::If { cond: Box::new(cond), then: Box::new(then), els: Box::new(els) };
        Ok(Expr { kind, ty, span })
    }

    fn field_of(&mut self, x: &ast::Expr, number: (u32, ast::Spelling), span: Span) -> Typed<Expr> {
        let x = self.expr(x);
        let ty = self.unifier.fresh();
        self.check(Check::Field { of: x.ty.clone(), number, field: ty.clone(), span })?;
        Ok(self.taken_in(Expr { kind: ExprKind::Field(Box::new(x), number.0), ty, span }))
    }

    fn member_of(&mut self, x: &ast::Expr, name: &ast::Ident, span: Span) -> Typed<Expr> {
        let x = self.expr(x);
        let (ty, member) = (self.unifier.fresh(), name.name.clone());
        self.check(Check::Member { of: x.ty.clone(), name: member.clone(), field: ty.clone(), span })?;
        Ok(self.taken_in(Expr { kind: ExprKind::Member(Box::new(x), member), ty, span }))
    }

    /// Types an expression that must have type `ty`, and is said to have it even if it has not.
    pub(super) fn typed(&mut self, expr: &ast::Expr, ty: &Ty) -> Expr {
        let expr = self.expr(expr);
        let outcome = self.expect(&expr, ty);
        match self.report(outcome) {
            Some(()) => expr,
            None => Expr { ty: ty.clone(), ..expr },
        }
    }

    /// Types an expression that must hold no builder.
    fn value(&mut self, expr: &ast::Expr) -> Expr {
        let expr = self.expr(expr);
        self.require(Check::Value(expr.ty.clone(), expr.span));
        expr
    }

    /// Types a position or a length in a vector: of any integer type, and i64 if nothing else is said.
    pub(super) fn index(&mut self, expr: &ast::Expr) -> Expr {
        let expr = self.expr(expr);
        let outcome = self.expect_index(&expr);
        self.report(outcome);
        expr
    }

    /// Requires an integer, i64 if nothing else is said.
    pub(super) fn expect_index(&mut self, expr: &Expr) -> Typed<()> {
        match self.unifier.seen(&expr.ty) {
            Ty::Scalar(_) => {
                self.require(Check::Index(expr.ty.clone(), self.written(expr), expr.span));
                Ok(())
            }
            _ => self.expect(expr, &Ty::I64),
        }
    }

    /// Types two expressions that must have one type.
    pub(super) fn pair(&mut self, x: &ast::Expr, y: &ast::Expr) -> Typed<(Expr, Expr)> {
        let (x, y) = (self.expr(x), self.expr(y));
        self.same(&x, &y)?;
        Ok((x, y))
    }

    /// Requires two expressions to have one type.
    pub(super) fn same(&mut self, x: &Expr, y: &Expr) -> Typed<()> {
        self.unifier.unify(&x.ty, &y.ty).map_err(|why| {
            // Of two scalars the one to convert is the one whose conversion loses less.
            match (self.unifier.seen(&x.ty), self.unifier.seen(&y.ty)) {
                (Ty::Scalar(left), Ty::Scalar(right)) if advice::is_narrower(left, right) => {
                    self.mismatch(x, &y.ty, why)
                }
                _ => self.mismatch(y, &x.ty, why),
            }
        })
    }

    fn name(&mut self, name: &ast::Ident) -> Typed<Expr> {
        if self.names_function(name) {
            return Err(functions::as_value(name.span));
        }
        if let Some(local) = self.scope.find(name) {
            if self.is_group(local) {
                return Err(aggregates::as_value(name));
            }
            let ty = self.locals[local].ty.clone();
            return Ok(Expr { kind: ExprKind::Local(local), ty, span: name.span });
        }
        if let Some(item) = self.item(name) {
            return self.item_value(item, name);
        }
        if let Some(alias) = self.alias(name) {
            return self.alias_alone(name, alias);
        }
        let hole = self.hole(name.span);
        if let Some(of) = self.find_struct(name).filter(|of| !of.variants.is_empty()) {
            self.refuse(&name.name, enums::no_value(of, name.span));
            return Ok(hole);
        }
        if let Some(temporal) = names::temporal(&name.name) {
            let message = format!("`{}` is a type, not a value", name.name);
            let error = Diagnostic::new(Code::UnknownName, name.span, message);
            return Err(error.help(no_times::written(temporal)));
        }
        self.is_no_half(name)?;
        let (error, is_input) = self.unknown_name(name);
        if self.refuse(&name.name, error) && is_input {
            self.inputs.push((self.errors.len() - 1, name.name.clone(), hole.ty.clone()));
        }
        Ok(hole)
    }

    /// The error of an unknown name, and whether it is likely one of something around the program.
    fn unknown_name(&self, name: &ast::Ident) -> (Diagnostic, bool) {
        let text = &name.name;
        if matches!(text.as_str(), "break" | "continue") {
            let error = Diagnostic::new(Code::NoJumps, name.span, format!("there is no `{text}`"))
                .help("choose the elements with `filter`, or end an `iterate` with `{state, false}`");
            return (error, false);
        }
        let error = Diagnostic::new(Code::UnknownName, name.span, format!("`{text}` is not known here"));
        if self.macros.contains_key(text.as_str()) {
            return (error.help(format!("it is a macro: call it, `{text}(…)`")), false);
        }
        if self.scope.is_in_welded() && self.items.contains_key(text.as_str()) {
            return (error.help(items::NOT_WELDED), false);
        }
        if self.scope.is_in_item() {
            let known = self.scope.user_names().chain(self.items.keys().copied());
            let help = match nearest(text, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "items see no variables around them: make `{text}` a parameter of the function, or a constant"
                ),
            };
            return (error.help(help), false);
        }
        let elsewhere = self.locals.ids().map(|id| &self.locals[id]).find(|info| info.name == *text);
        if let Some(info) = elsewhere {
            let place = position(info.span);
            let advice = format!("the `{text}` of {place} is known only inside its closure or block");
            return (error.help(advice), false);
        }
        match nearest(text, self.scope.user_names().chain(self.items.keys().copied())) {
            Some(near) => (error.help(format!("did you mean `{near}`?")), false),
            None if let Some(instead) = habits::instead_of_value(text) => (error.help(instead), false),
            None => (error, true),
        }
    }

    fn unary(&mut self, op: UnaryOp, x: &ast::Expr, span: Span) -> Typed<Expr> {
        let x = self.expr(x);
        self.applied(op, x, span)
    }

    /// `op x`
    fn applied(&mut self, op: UnaryOp, x: Expr, span: Span) -> Typed<Expr> {
        if self.array_of(&x.ty).is_some() {
            return self.pointwise(vec![x], span, |this, mut x| this.applied(op, x.remove(0), span));
        }
        if let Some(negated) = self.fixed_negated(op, &x, span) {
            return Ok(negated);
        }
        if let Some(negated) = self.time_negated(op, &x, span) {
            return Ok(negated);
        }
        self.check(match op {
            UnaryOp::Neg => Check::Number(x.ty.clone(), "-", span),
            UnaryOp::Not => Check::Bits(x.ty.clone(), "!", span),
        })?;
        let ty = x.ty.clone();
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(x)), ty, span })
    }

    fn binary(&mut self, op: BinaryOp, x: &ast::Expr, y: &ast::Expr, span: Span) -> Typed<Expr> {
        let (x, y) = (self.expr(x), self.expr(y));
        if op == BinaryOp::Add && [&x, &y].into_iter().any(|side| self.unifier.shallow(&side.ty).is_text()) {
            return self.joined_texts(x, y, span);
        }
        self.combined(op, x, y, span)
    }

    /// `x op y`, whose result is a bool in any case.
    pub(super) fn compared(&mut self, op: CompareOp, x: Expr, y: Expr, span: Span) -> Expr {
        let outcome = self.same(&x, &y);
        if self.report(outcome).is_some() {
            self.require(match op {
                CompareOp::Eq | CompareOp::Ne => Check::Comparable(x.ty.clone(), span),
                _ => Check::Ordered(x.ty.clone(), span),
            });
        }
        Expr { kind: ExprKind::Compare(op, Box::new(x), Box::new(y)), ty: Ty::BOOL, span }
    }

    /// `x op y`
    pub(super) fn combined(&mut self, op: BinaryOp, x: Expr, y: Expr, span: Span) -> Typed<Expr> {
        if self.array_of(&x.ty).is_some() || self.array_of(&y.ty).is_some() {
            return self.pointwise(vec![x, y], span, |this, operands| {
                let [x, y] = operands.try_into().expect("as many as were given");
                this.combined(op, x, y, span)
            });
        }
        let (x, y) = match self.time_arithmetic(op, x, y, span)? {
            Ok(combined) => return Ok(combined),
            Err(values) => values,
        };
        let (x, y) = match self.fixed_arithmetic(op, x, y, span)? {
            Ok(combined) => return Ok(combined),
            Err(values) => values,
        };
        // What the operator cannot take is a better reason than what differs.
        for ty in [&x.ty, &y.ty] {
            self.decide(&takes(op, ty.clone(), span))?;
        }
        self.same(&x, &y)?;
        self.operator(op, x, y, span)
    }

    /// `x op y`, both of one type already.
    pub(super) fn operator(&mut self, op: BinaryOp, x: Expr, y: Expr, span: Span) -> Typed<Expr> {
        let ty = x.ty.clone();
        self.check(takes(op, ty.clone(), span))?;
        Ok(Expr { kind: ExprKind::Binary(op, Box::new(x), Box::new(y)), ty, span })
    }

    /// `lookup(of, index)` or `of[index]`
    pub(super) fn lookup_in(&mut self, of: &ast::Expr, index: &ast::Expr, span: Span) -> Typed<Expr> {
        if views::is_sliced(index) {
            return self.sliced(of, index, span);
        }
        let of = self.expr(of);
        if self.cursor_of(&of.ty).is_some() {
            return self.dereferenced(of, index, span);
        }
        let key = self.expr(index);
        let ty = self.unifier.fresh();
        // What is refused wants to be what is indexed so: for advice.
        if self.unifier.is_error(&of.ty) {
            let wanted = match self.unifier.seen(&key.ty) {
                Ty::Scalar(scalar) if scalar.is_integer() => Ty::vec(ty.clone()),
                Ty::Var(_) => Ty::vec(ty.clone()),
                _ => Ty::Dict(key.ty.clone().into(), ty.clone().into()),
            };
            let _ = self.unifier.unify(&of.ty, &wanted);
        }
        self.check(Check::Lookup { of: of.ty.clone(), key: key.clone(), value: ty.clone(), span })?;
        Ok(Expr { kind: ExprKind::Lookup(Box::new(of), Box::new(key)), ty, span })
    }

    /// Requires a dictionary, and gives the types of its keys and values.
    pub(super) fn dict(&mut self, of: &Expr) -> Typed<(Ty, Ty)> {
        let (key, value) = (self.unifier.fresh(), self.unifier.fresh());
        let dict = Ty::Dict(std::rc::Rc::new(key.clone()), std::rc::Rc::new(value.clone()));
        match self.unifier.unify(&dict, &of.ty) {
            Ok(()) => Ok((key, value)),
            Err(Mismatch::Types) => {
                let found = self.unifier.show(&of.ty);
                let message = format!("expected a dictionary, found `{found}`");
                let error = Diagnostic::new(Code::NeedsCollection, of.span, message);
                Err(match self.unifier.shallow(&of.ty) {
                    Ty::Vec(_) => {
                        error.help("make one of pairs, `v.to_dict()`, or search: `v.any(|x| x == wanted)`")
                    }
                    other if other.has_builder() => error.help("take its value first: `result(…)`"),
                    _ => error,
                })
            }
            Err(why) => Err(self.mismatch(of, &dict, why)),
        }
    }
}

/// What `op` asks of its operands.
fn takes(op: BinaryOp, ty: Ty, span: Span) -> Check {
    match op {
        BinaryOp::Add => Check::Number(ty, "+", span),
        BinaryOp::Sub => Check::Number(ty, "-", span),
        BinaryOp::Mul => Check::Number(ty, "*", span),
        BinaryOp::Div => Check::Number(ty, "/", span),
        BinaryOp::Rem => Check::Number(ty, "%", span),
        BinaryOp::Min => Check::Number(ty, "min", span),
        BinaryOp::Max => Check::Number(ty, "max", span),
        BinaryOp::And => Check::Bits(ty, "&", span),
        BinaryOp::Or => Check::Bits(ty, "|", span),
        BinaryOp::Xor => Check::Bits(ty, "^", span),
        BinaryOp::Shl => Check::Integer(ty, "<<", span),
        BinaryOp::Shr => Check::Integer(ty, ">>", span),
    }
}
