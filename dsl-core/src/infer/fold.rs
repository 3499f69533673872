//! Types of folds by functions: `reduce`, `fold`, and the dictionaries that combine the values of a key.

use proc_macro2::Span;
use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::scalar::BinaryOp;

use super::condition::Check;
use super::ty::{By, Ty};
use super::typed::{Expr, ExprKind, Func, Iter};
use super::{Infer, Typed};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::Empty;
use crate::syntax::ast::{self, BuilderKind, Pattern};

impl Infer<'_> {
    /// `reduce(vector, |a, b| c)`: a loop that merges each element into a builder of the function's own.
    pub(super) fn reduce(&mut self, of: &ast::Expr, function: &ast::Expr, span: Span) -> Typed<Expr> {
        let (iters, element) = self.folded(of);
        self.require(Check::Value(element.clone(), span));
        let func = self.combining(function, &element, "reduce")?;
        let ty = Ty::builder(BuilderKind::Merger, None, element.clone(), Some(By::Func));
        let kind = ExprKind::Builder { init: None, func: Some(Box::new(func)), empty: Empty::Fault };
        let builder = Expr { kind, ty, span };
        Ok(self.merged_each(iters, &element, builder, |x| x))
    }

    /// What a builder comes to into which `merged` is merged of each element.
    pub(super) fn merged_each(
        &mut self,
        iters: Vec<Iter>,
        element: &Ty,
        builder: Expr,
        merged: impl FnOnce(Expr) -> Expr,
    ) -> Expr {
        let (ty, span) = (builder.ty.clone(), builder.span);
        let params = [("b", &ty), ("i", &Ty::I64), ("x", element)];
        let params = params.map(|(name, ty)| self.local(name, ty.clone(), span));
        let expr = |kind, ty: &Ty| Expr { kind, ty: ty.clone(), span };
        let own = expr(ExprKind::Local(params[0]), &ty);
        let merged = merged(expr(ExprKind::Local(params[2]), element));
        let body = Box::new(expr(ExprKind::Merge(Box::new(own), Box::new(merged)), &ty));
        let all = expr(ExprKind::For { iters, builder: Box::new(builder), params, body }, &ty);
        let built = ty.built().expect("a builder has a result");
        expr(ExprKind::Result(Box::new(all)), &built)
    }

    /// `fold(vector, initial, |acc, x| acc)`
    pub(super) fn fold(
        &mut self,
        of: &ast::Expr,
        init: &ast::Expr,
        function: &ast::Expr,
        span: Span,
    ) -> Typed<Expr> {
        if let Some(typed) = self.fold_neighbours(of, init, function, span)? {
            return Ok(typed);
        }
        let (iters, element) = self.folded(of);
        let init = self.expr(init);
        let ty = init.ty.clone();
        self.require(Check::Value(ty.clone(), init.span));
        if self.is_refused(function) {
            return Ok(init);
        }
        let (params, body) = self.function(function, [ty.clone(), element])?;
        if let Err(why) = self.unifier.unify(&ty, &body.ty) {
            let error = self.mismatch(&body, &ty, why);
            self.errors
                .push(error.help("the function of `fold` gives what its first parameter is: `|acc, x| …`"));
        }
        let (init, body) = (Box::new(init), Box::new(body));
        Ok(Expr { kind: ExprKind::Fold { iters, init, params, body }, ty, span })
    }

    /// The builder behind `reduce_by` and `to_dict`: a `dictmerger` by an operator or a function.
    pub(super) fn keyed(&mut self, by: &ast::Expr, span: Span) -> Typed<Expr> {
        let (key, value) = (self.unifier.fresh(), self.unifier.fresh());
        self.require(Check::Key(key.clone(), span));
        let form = self.given(by)?.form.into_owned();
        let operator = match &form.kind {
            ast::ExprKind::Operator(op) => Some(*op),
            ast::ExprKind::Closure(closure) => operator(closure),
            _ => None,
        };
        let (by, func) = match form.kind {
            _ if let Some(op) = operator => {
                self.require(Check::Reducible(value.clone(), op, span));
                (By::Op(op), None)
            }
            ast::ExprKind::Closure(_) => {
                self.require(Check::Value(value.clone(), span));
                (By::Func, Some(Box::new(self.combining(by, &value, "reduce_by")?)))
            }
            _ => {
                let message = "expected `+`, `*`, `min` or `max`, or a function of two values";
                return Err(Diagnostic::new(Code::NeedsFunction, by.span, message)
                    .help("the form is `v.reduce_by(|x| key, |x| value, +)`"));
            }
        };
        let ty = Ty::builder(BuilderKind::DictMerger, Some(key), value, Some(by));
        Ok(Expr { kind: ExprKind::Builder { init: None, func, empty: Empty::Identity }, ty, span })
    }

    /// What a fold runs over, and the type of its elements.
    pub(super) fn folded(&mut self, of: &ast::Expr) -> (Vec<Iter>, Ty) {
        let iter = ast::Iter { kind: ast::IterKind::All(of.clone()), span: of.span };
        let (mut iters, mut elements) = (Vec::new(), Vec::new());
        self.iter(&iter, &mut iters, &mut elements);
        let element = match &elements[..] {
            [element] => element.clone(),
            _ => Ty::structure(elements),
        };
        (iters, element)
    }

    /// A function that makes one `ty` of two, for `name`.
    fn combining(&mut self, function: &ast::Expr, ty: &Ty, name: &str) -> Typed<Func> {
        let (params, body) = self.function(function, [ty.clone(), ty.clone()])?;
        if let Err(why) = self.unifier.unify(ty, &body.ty) {
            let help = format!("the function of `{name}` makes one value of two, all of one type");
            let error = self.mismatch(&body, ty, why).help(help);
            self.errors.push(error);
        }
        Ok(Func { params, body })
    }
}

/// The operator that a function is: `|a, b| a + b`, `|a, b| a.min(b)`. In Rust no operator stands alone. One that says its types is
/// looked at as any other function.
fn operator(closure: &ast::Closure) -> Option<ReduceOp> {
    let [
        ast::Param { pattern: Pattern::Name(a), ty: None },
        ast::Param { pattern: Pattern::Name(b), ty: None },
    ] = &closure.params[..]
    else {
        return None;
    };
    if closure.result.is_some() {
        return None;
    }
    let is = |expr: &ast::Expr, name: &ast::Ident| matches!(&expr.kind, ast::ExprKind::Name(found) if found.name == name.name && found.mark == name.mark);
    let (op, x, y) = match &closure.body.kind {
        ast::ExprKind::Binary(BinaryOp::Add, x, y) => (ReduceOp::Add, &**x, &**y),
        ast::ExprKind::Binary(BinaryOp::Mul, x, y) => (ReduceOp::Mul, &**x, &**y),
        ast::ExprKind::Call { name, args, .. } => match (name.name.as_str(), &args[..]) {
            ("min", [x, y]) => (ReduceOp::Min, x, y),
            ("max", [x, y]) => (ReduceOp::Max, x, y),
            _ => return None,
        },
        _ => return None,
    };
    (is(x, a) && is(y, b) && a.name != b.name).then_some(op)
}
