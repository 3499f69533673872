//! Functions: closures where a call wants one, those that a `let` names, and the types of their bodies.
//!
//! A named function is typed anew wherever it is called, as if it stood there, but that its names mean what they mean where it is
//! defined.

use std::borrow::Cow;
use std::rc::Rc;

use super::bind;
use super::scope::{Function, Item, Sight, Signature};
use super::ty::Ty;
use super::typed::{Expr, Local};
use super::{Infer, Typed};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Pattern};

/// What stands where a function is wanted.
pub(super) struct Given<'e> {
    /// A closure or an operator, or else what is wrong there.
    pub(super) form: Cow<'e, ast::Expr>,
    /// What it sees, if it was defined elsewhere.
    pub(super) sight: Option<Sight>,
    /// What is said of it, if it is the argument of a function that says it.
    signature: Option<Rc<Signature>>,
}

/// What a parameter of a function is given.
pub(super) enum Argument {
    Value(Expr),
    Function(Function),
}

impl Given<'_> {
    fn owned(self) -> Given<'static> {
        Given { form: Cow::Owned(self.form.into_owned()), sight: self.sight, signature: self.signature }
    }

    /// The closure.
    pub(super) fn closure(&self) -> Typed<&ast::Closure> {
        closure_of(&self.form)
    }
}

impl<'a> Infer<'a> {
    /// `function(args)`
    pub(super) fn apply(&mut self, function: &ast::Expr, args: &Rc<[ast::Expr]>) -> Typed<Expr> {
        match &function.kind {
            ast::ExprKind::Name(name) if self.scope.find(name).is_none() => {
                self.call(function, name, None, args, false)
            }
            ast::ExprKind::Path(first, rest) if !self.is_function_at(first, rest) => {
                let path = self.expr(function);
                self.arguments(args);
                if !self.unifier.is_error(&path.ty) {
                    closure_of(function)?;
                }
                Ok(self.hole(function.span))
            }
            _ if self.is_refused(function) => {
                args.iter().for_each(|arg| drop(self.expr(arg)));
                Ok(self.hole(function.span))
            }
            _ => {
                let given = self.given(function)?;
                self.applied_to(&given, args)
            }
        }
    }

    fn applied_to(&mut self, given: &Given<'_>, args: &[ast::Expr]) -> Typed<Expr> {
        let closure = given.closure()?;
        if closure.params.len() != args.len() {
            return Err(arity(closure, args.len()));
        }
        // The arguments are outside of the closure's scope: they are typed before anything is bound.
        let mut typed = Vec::new();
        for arg in args {
            typed.push(match self.function_named_by(arg)? {
                Some(function) => Argument::Function(function),
                None => Argument::Value(self.expr(arg)),
            });
        }
        let values = typed.iter().map(|arg| match arg {
            Argument::Value(arg) => Some(arg),
            Argument::Function(_) => None,
        });
        self.takes(given, values)?;
        let body = self.body_for(closure, given.sight.as_ref(), typed);
        self.gives(given, &body);
        Ok(body)
    }

    /// The body of `closure`, which sees `sight`, for these arguments.
    pub(super) fn body_for(
        &mut self,
        closure: &ast::Closure,
        sight: Option<&Sight>,
        args: Vec<Argument>,
    ) -> Expr {
        let (parts, body) = self.body_in(closure, sight, |this| {
            let mut parts = Vec::new();
            for (param, arg) in closure.params.iter().zip(args) {
                match arg {
                    Argument::Function(function) => {
                        let outcome = this.define(&param.pattern, function);
                        this.report(outcome);
                    }
                    Argument::Value(arg) => {
                        let ty = this.param_type(param, &arg.ty);
                        let (local, inner) = this.bind_pattern(&param.pattern, &ty);
                        parts.push((local, arg));
                        parts.extend(inner);
                    }
                }
            }
            parts
        });
        bind::wrap(parts, body)
    }

    /// The body of `closure`, which sees `sight`, and whose parameters are bound by `bind`; and what that gives.
    pub(super) fn body_in<T>(
        &mut self,
        closure: &ast::Closure,
        sight: Option<&Sight>,
        bind: impl FnOnce(&mut Self) -> T,
    ) -> (T, Expr) {
        let mark = self.scope.enter();
        let seen = sight.map(|sight| self.scope.see(sight));
        let bound = bind(self);
        let body = self.closure_body(closure);
        seen.into_iter().for_each(|seen| self.scope.see_again(seen));
        self.scope.leave(mark);
        (bound, body)
    }

    /// Requires what a function is called with, where it is a value, to have the types that are said of the function.
    fn takes<'e>(&mut self, given: &Given<'_>, args: impl Iterator<Item = Option<&'e Expr>>) -> Typed<()> {
        let wanted = given.signature.iter().flat_map(|signature| &signature.params);
        for (arg, wanted) in args.zip(wanted) {
            if let Some(arg) = arg {
                self.expect(arg, wanted)?;
            }
        }
        Ok(())
    }

    /// Requires the body of a function to have the type that is said of the function.
    fn gives(&mut self, given: &Given<'_>, body: &Expr) {
        if let Some(signature) = &given.signature {
            let outcome = self.expect(body, &signature.result);
            self.report(outcome);
        }
    }

    /// What stands where a function is wanted: of a name what it names, of a call of a macro that gives a function what it
    /// gives. What gives anything else stays, as that is where the mistake is.
    pub(super) fn given<'e>(&mut self, function: &'e ast::Expr) -> Typed<Given<'e>> {
        match &function.kind {
            ast::ExprKind::Argument(args, position) => {
                let given = self.given(&args[*position])?;
                return Ok(given.owned());
            }
            ast::ExprKind::Name(name) => {
                if let Some(function) = self.scope.find(name).and_then(|local| self.functions.get(&local)) {
                    let form = Cow::Owned((*function.form).clone());
                    let (sight, signature) = (Some(function.sight.clone()), function.signature.clone());
                    return Ok(Given { form, sight, signature });
                }
                if let Some(item) = self.function_item(name)
                    && let Some(given) = self.given_item(item, name)
                {
                    return Ok(given);
                }
            }
            ast::ExprKind::Path(first, rest) => {
                if let Some((Item::Function(item), name)) = self.item_at(first, rest)
                    && let Some(given) = self.given_item(item, &name)
                {
                    return Ok(given);
                }
            }
            ast::ExprKind::Call { name, turbofish: None, args, is_method } => {
                if let Some(definition) = self.find_macro(name)
                    && let Some(body) = self.expanded(definition, name, args, *is_method)?
                    && let given = self.given(&body)?
                    && matches!(given.form.kind, ast::ExprKind::Closure(_) | ast::ExprKind::Operator(_))
                {
                    return Ok(given.owned());
                }
            }
            _ => {}
        }
        Ok(Given { form: Cow::Borrowed(function), sight: None, signature: None })
    }

    fn is_function_at(&self, first: &ast::Ident, rest: &str) -> bool {
        matches!(self.item_at(first, rest), Some((Item::Function(_), _)))
    }

    /// The function `item` of the program, which `name` names where a function is wanted.
    fn given_item(&mut self, item: &'a ast::Function, name: &ast::Ident) -> Option<Given<'static>> {
        let sight = self.use_of(item, name)?;
        let kind = ast::ExprKind::Closure(self.closure_of(item, name.span).into_owned());
        let form = Cow::Owned(ast::Expr { kind, span: name.span });
        Some(Given { form, sight: Some(sight), signature: None })
    }

    /// The function that `expr` is or names, where a value may stand as well.
    pub(super) fn function_named_by(&mut self, expr: &ast::Expr) -> Typed<Option<Function>> {
        let is_value = match &expr.kind {
            ast::ExprKind::Argument(args, at) => return self.function_named_by(&args[*at]),
            ast::ExprKind::Closure(_) => false,
            ast::ExprKind::Name(name) => !self.names_function(name) && self.function_item(name).is_none(),
            ast::ExprKind::Path(first, rest) => !self.is_function_at(first, rest),
            _ => true,
        };
        if is_value {
            return Ok(None);
        }
        let sight = self.scope.sight();
        let given = self.given(expr)?;
        let (sight, signature) = (given.sight.unwrap_or(sight), given.signature);
        Ok(Some(Function { form: Rc::new(given.form.into_owned()), sight, signature }))
    }

    /// Whether `let pattern = value` names a function, which is in scope then.
    pub(super) fn names(&mut self, pattern: &Pattern, value: &ast::Expr) -> bool {
        let named = match self.function_named_by(value) {
            Ok(Some(function)) => self.define(pattern, function),
            Ok(None) => return false,
            Err(error) => Err(error),
        };
        self.report(named);
        true
    }

    /// Names a function.
    fn define(&mut self, pattern: &Pattern, function: Function) -> Typed<()> {
        let name = match pattern {
            Pattern::Name(name) => name,
            Pattern::Ignore(_) => return Ok(()),
            _ => {
                let error = Diagnostic::new(
                    Code::FunctionAsValue,
                    pattern.span(),
                    "a function cannot be taken apart",
                );
                return Err(error.help("give it one name: `let f = |x| …;`"));
            }
        };
        let ty = self.unifier.error();
        let local = self.local(&name.name, ty, name.span);
        self.functions.insert(local, function);
        self.scope.bind(name, local);
        Ok(())
    }

    /// Whether `name` is that of a function.
    pub(super) fn names_function(&self, name: &ast::Ident) -> bool {
        self.scope.find(name).is_some_and(|local| self.functions.contains_key(&local))
    }

    /// Whether `function` is a variable whose value has been refused: likely a function.
    pub(super) fn is_refused(&self, function: &ast::Expr) -> bool {
        let ast::ExprKind::Name(name) = &function.kind else { return false };
        self.scope.find(name).is_some_and(|local| {
            !self.functions.contains_key(&local) && self.unifier.is_error(&self.locals[local].ty)
        })
    }

    /// The body of a closure, whose parameters are bound.
    pub(super) fn closure_body(&mut self, closure: &ast::Closure) -> Expr {
        self.function_body(closure, |this| match &closure.result {
            Some(ty) => {
                let ty = this.ty(ty);
                this.typed(&closure.body, &ty)
            }
            None => this.expr(&closure.body),
        })
    }

    /// What `body` types, as the body of `closure`.
    pub(super) fn function_body(
        &mut self,
        closure: &ast::Closure,
        body: impl FnOnce(&mut Self) -> Expr,
    ) -> Expr {
        if !self.enter_function(closure.span) {
            return self.hole(closure.span);
        }
        let body = body(self);
        self.leave_function();
        body
    }

    /// The type of a closure's parameter, which is that of what it is `given`, whatever is written.
    fn param_type(&mut self, param: &ast::Param, given: &Ty) -> Ty {
        let Some(written) = &param.ty else { return given.clone() };
        let written = self.ty(written);
        if self.unifier.unify(&written, given).is_ok() {
            return given.clone();
        }
        let (want, found) = (self.unifier.show(&written), self.unifier.show(given));
        let message = format!("this parameter is written as `{want}`, and is given `{found}`");
        let error = Diagnostic::new(Code::Mismatch, param.pattern.span(), message);
        self.errors.push(error.help("leave its type out: that of what it is given is known"));
        self.unifier.error()
    }

    /// The body of a closure whose parameters have these types.
    pub(super) fn function<const N: usize>(
        &mut self,
        function: &ast::Expr,
        types: [Ty; N],
    ) -> Typed<([Local; N], Expr)> {
        let (locals, body) = self.function_of(function, &types)?;
        Ok((locals.try_into().expect("as many parameters as types"), body))
    }

    /// As [`Infer::function`], of any number of parameters.
    pub(super) fn function_of(&mut self, function: &ast::Expr, types: &[Ty]) -> Typed<(Vec<Local>, Expr)> {
        let given = self.given(function)?;
        let closure = given.closure()?;
        if closure.params.len() != types.len() {
            return Err(arity(closure, types.len()));
        }
        let args: Vec<Expr> =
            types.iter().map(|ty| Expr { ty: ty.clone(), ..self.hole(function.span) }).collect();
        self.takes(&given, args.iter().map(Some))?;
        let ((locals, parts), body) = self.body_in(closure, given.sight.as_ref(), |this| {
            let (mut locals, mut parts) = (Vec::new(), Vec::new());
            for (param, ty) in closure.params.iter().zip(types) {
                let ty = this.param_type(param, ty);
                let (local, inner) = this.bind_pattern(&param.pattern, &ty);
                locals.push(local);
                parts.extend(inner);
            }
            (locals, parts)
        });
        self.gives(&given, &body);
        Ok((locals, bind::wrap(parts, body)))
    }
}

/// The error of a function where a value is wanted.
pub(super) fn as_value(span: proc_macro2::Span) -> Diagnostic {
    Diagnostic::new(Code::FunctionAsValue, span, "a function is not a value here")
        .help("call it, or give it to `map`, `filter` or `for`; a closure needs a name to be called, `let f = |x| x + 1;`")
}

fn closure_of(function: &ast::Expr) -> Typed<&ast::Closure> {
    match &function.kind {
        ast::ExprKind::Closure(closure) => Ok(closure),
        ast::ExprKind::Operator(op) => {
            let message = format!("expected a function, found the operator `{op}`");
            Err(Diagnostic::new(Code::NeedsFunction, function.span, message)
                .help("write a function, `|x| …`; only `reduce_by` takes operators"))
        }
        _ => Err(Diagnostic::new(Code::NeedsFunction, function.span, "expected a function, found a value")
            .help("write one: `|x| …`")),
    }
}

/// The error of a closure that is called with `wanted` arguments.
pub(super) fn arity(closure: &ast::Closure, wanted: usize) -> Diagnostic {
    let parameters = |n: usize| if n == 1 { "1 parameter".to_string() } else { format!("{n} parameters") };
    let found = closure.params.len();
    let message = format!("expected a function of {}, found {found}", parameters(wanted));
    let error = Diagnostic::new(Code::FunctionArity, closure.span, message);
    match wanted {
        1 if found > 1 => error.help("take a struct apart with a pattern: `|(a, b)| …`"),
        1 => error.help("write `|x| …`"),
        2 => error.help("write `|a, b| …`"),
        _ => error,
    }
}
