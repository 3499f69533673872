//! Types of what is computed of whole arrays, or along one of their axes: sorting, sums so far, whether any element or all are true, and
//! convolution. What stands here is which sugar it is.

use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::scalar::{BinaryOp, Const};
use weldment_runtime::lang::types::Scalar;

use super::condition::Check;
use super::quoted::{Named, call, structure};
use super::ty::Ty;
use super::typed::{ArrayOp, Expr, ExprKind};
use super::{Infer, Typed, bind, forms};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Ident, Pattern};

impl Infer<'_> {
    /// A call of a function along axes that is no reduction by itself; `None` if it is not one.
    pub(super) fn along_call(
        &mut self,
        name: &Ident,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Option<Expr>> {
        let span = name.span;
        match (name.name.as_str(), &args[..]) {
            // Whether elements that are bools are true.
            ("any" | "all", [of]) => {
                let args = vec![of.clone(), is_true(span)];
                let mark = self.inner_mark();
                Ok(self.expr(&call(&name.name, args, mark, span)))
            }
            ("sort", [of]) if self.is_array(of) => self.sorted(name, of, None, None),
            ("sort", [of]) => self.sort(of, &comparator(span), span),
            ("sort", [of, order]) if self.is_function(order) && self.is_array(of) => {
                self.sorted(name, of, None, Some(order))
            }
            ("sort", [of, axis]) if self.is_array(of) => self.sorted(name, of, Some(axis), None),
            ("sort", [of, axis, order]) if self.is_array(of) => {
                self.sorted(name, of, Some(axis), Some(order))
            }
            ("argsort", [of]) if self.is_array(of) => self.lines_of("argsorted", of, None, Vec::new(), span),
            ("argsort", [of, axis]) if self.is_array(of) => {
                self.lines_of("argsorted", of, Some(axis), Vec::new(), span)
            }
            ("cumsum" | "cumprod" | "cummin" | "cummax", [of]) if self.is_array(of) => {
                self.running_in_order(name, of)
            }
            ("cumsum" | "cumprod" | "cummin" | "cummax", [of, axis]) if self.is_array(of) => {
                self.running(name, of, axis)
            }
            ("scan" | "scan_back", [_, _, _]) => self.scan_in_order(name, args, is_method),
            ("scan" | "scan_back", [of, rest @ ..]) if rest.len() < 3 && !self.is_array(of) => {
                self.arguments(args);
                return Err(forms::wrong_number(name, args.len(), &["v", "init", "|c, x| …"], is_method));
            }
            ("windows" | "chunks", [of, _]) if self.is_array(of) => {
                let message = format!("`{}` needs a vector, found an array", name.name);
                return Err(Diagnostic::new(Code::NeedsCollection, span, message)
                    .help("those of all its elements are of `a.flat()`; neighbours along axes are read by `stencil`"));
            }
            ("windows", [_, n]) if forms::is_few(n) => {
                self.sugar_of("few_windows", name, args, is_method)
            }
            ("convolve", [a, kernel]) => self.convolved(a, kernel, None, span),
            ("convolve", [a, kernel, policy]) => self.convolved(a, kernel, Some(policy), span),
            ("floated", [x]) if !self.is_users(name) => self.floated(x, "mean"),
            ("binned", [x]) if !self.is_users(name) => self.floated(x, "histogram"),
            ("whole", [n]) if !self.is_users(name) => {
                let mut n = self.index(n);
                let span = n.span;
                if self.unifier.seen(&n.ty) == Ty::Scalar(Scalar::I128) {
                    n = within_i64(n);
                }
                Ok(Expr { kind: ExprKind::Cast(Box::new(n)), ty: Ty::I64, span })
            }
            ("as_type_of", [x, like]) if !self.is_users(name) => {
                let (x, like) = (self.expr(x), self.expr(like));
                let Ty::Scalar(scalar) = self.unifier.seen(&like.ty) else {
                    if self.unifier.is_error(&like.ty) {
                        return Ok(Some(self.hole(span)));
                    }
                    return Err(self.not_known(&like.ty, span));
                };
                self.require(Check::Cast(x.ty.clone(), scalar, span));
                Ok(Expr { kind: ExprKind::Cast(Box::new(x)), ty: like.ty, span })
            }
            ("number_of", [of]) if !self.is_users(name) => self.number_of(of, span),
            ("alike", [vector, of]) if !self.is_users(name) => {
                let element = self.unifier.fresh();
                let vector = self.vector(vector, &element);
                let (of, _, axes) = self.an_array(of)?;
                let ty = Ty::named(element, axes, self.names_of(&of.ty));
                Ok(Expr { kind: ExprKind::OfArray(ArrayOp::Like, vec![vector, of]), ty, span })
            }
            ("op_of", [op, x, y]) if !self.is_users(name) => {
                let ast::ExprKind::Operator(op) = forms::strip(op).kind else {
                    return Ok(Some(self.hole(span)));
                };
                let (x, y) = (self.expr(x), self.expr(y));
                self.combined(op.binary(), x, y, span)
            }
            ("identity", [op, of]) if !self.is_users(name) => self.identity(op, of, span),
            _ => return Ok(None),
        }
        .map(Some)
    }

    /// Whether a function stands here, and no value.
    pub(super) fn is_function(&self, expr: &ast::Expr) -> bool {
        match &expr.kind {
            ast::ExprKind::Argument(args, at) => self.is_function(&args[*at]),
            ast::ExprKind::Closure(_) | ast::ExprKind::Operator(_) => true,
            ast::ExprKind::Name(name) => self.names_function(name),
            _ => false,
        }
    }

    fn sorted(
        &mut self,
        name: &Ident,
        of: &ast::Expr,
        axis: Option<&ast::Expr>,
        order: Option<&ast::Expr>,
    ) -> Typed<Expr> {
        let span = name.span;
        let Some(order) = order else {
            return self.lines_of("sorted", of, axis, vec![comparator(span)], span);
        };
        let is_of_one = matches!(&self.given(order)?.form.kind, ast::ExprKind::Closure(closure) if closure.params.len() == 1);
        // That of `sort_by` is a comparator.
        let is_key = is_of_one && self.is_users(name);
        let name = if is_key { "sorted_by_key" } else { "sorted" };
        self.lines_of(name, of, axis, vec![order.clone()], span)
    }

    /// What the sugar `name` makes of each line along an axis, or along the last one; of what has one axis, of all of it.
    fn lines_of(
        &mut self,
        name: &str,
        of: &ast::Expr,
        axis: Option<&ast::Expr>,
        rest: Vec<ast::Expr>,
        span: Span,
    ) -> Typed<Expr> {
        let (of, _, axes) = self.an_array(of)?;
        let axis = match axis {
            Some(axis) => self.axis(axis, axes)?,
            None => axes - 1,
        };
        let mark = self.scope.enter();
        let mut named = self.named(span);
        let of = named.name(self, of);
        let typed = if axes == 1 {
            let args = [of.clone()].into_iter().chain(rest).collect();
            let vector = call(name, args, named.mark, span);
            self.expr(&call("alike", vec![vector, of], named.mark, span))
        } else {
            let axis = ast::Expr { kind: ast::ExprKind::Integer(axis as i128), span };
            let ident = named.ident("line");
            let line = ast::Expr { kind: ast::ExprKind::Name(ident.clone()), span };
            let args = [line].into_iter().chain(rest).collect();
            let function = closure(vec![Pattern::Name(ident)], call(name, args, named.mark, span), span);
            self.expr(&call("each_line", vec![of, axis, function], named.mark, span))
        };
        self.scope.leave(mark);
        Ok(bind::wrap(named.parts, typed))
    }

    /// How many elements a vector or an array has: of an array nothing runs for that.
    fn number_of(&mut self, of: &ast::Expr, span: Span) -> Typed<Expr> {
        let of = self.expr(of);
        let axes = self.array_of(&of.ty).map(|(_, axes)| axes);
        let mark = self.scope.enter();
        let mut named = self.named(span);
        let of = named.name(self, of);
        let extent = |axis: usize| {
            let axis = ast::Expr { kind: ast::ExprKind::Integer(axis as i128), span };
            call("extent", vec![of.clone(), axis], named.mark, span)
        };
        let number = match axes {
            Some(axes) => (1..axes).map(extent).fold(extent(0), |x, y| {
                let kind = ast::ExprKind::Binary(BinaryOp::Mul, Box::new(x), Box::new(y));
                ast::Expr { kind, span }
            }),
            None => call("len", vec![of.clone()], named.mark, span),
        };
        let typed = self.expr(&number);
        self.scope.leave(mark);
        Ok(bind::wrap(named.parts, typed))
    }

    /// A number as a float, for `name`: an integer as f64.
    fn floated(&mut self, x: &ast::Expr, name: &'static str) -> Typed<Expr> {
        let x = self.expr(x);
        self.as_float(x, name)
    }

    /// The same of a typed number.
    pub(super) fn as_float(&mut self, x: Expr, name: &'static str) -> Typed<Expr> {
        let span = x.span;
        let is_integer = match self.unifier.seen(&x.ty) {
            Ty::Scalar(scalar) => scalar.is_integer(),
            _ => self.unifier.is_literal(&x.ty),
        };
        if is_integer {
            return Ok(Expr { kind: ExprKind::Cast(Box::new(x)), ty: Ty::F64, span });
        }
        self.check(Check::Float(x.ty.clone(), name, self.written(&x), span))?;
        Ok(x)
    }

    /// The error of a type that has to be known here.
    pub(super) fn not_known(&self, ty: &Ty, span: Span) -> Diagnostic {
        let message = format!("the type of the elements is not known yet: `{}`", self.unifier.show(ty));
        Diagnostic::new(Code::NotInferred, span, message).help("say it where they are made: `x: f64`")
    }

    /// `convolve(a, kernel, policy)`: at each point the sum over the kernel of its elements, times those of the array as far on the other
    /// side of the point. Without a policy, where all these are inside.
    fn convolved(
        &mut self,
        a: &ast::Expr,
        kernel: &ast::Expr,
        policy: Option<&ast::Expr>,
        span: Span,
    ) -> Typed<Expr> {
        let (a, element, axes) = self.an_array(a)?;
        let (kernel, other, found) = self.an_array(kernel)?;
        if axes != found {
            let message = format!("{} beside {}", forms::of_axes(found), forms::of_axes(axes));
            let error = Diagnostic::new(Code::Spaces, kernel.span, message);
            return Err(error.help("a kernel has the axes of the array that it is laid on"));
        }
        if let Err(why) = self.unifier.unify(&element, &other) {
            return Err(self.mismatch(&kernel, &a.ty, why));
        }
        self.require(Check::Reducible(element, ReduceOp::Mul, span));
        let mark = self.scope.enter();
        let mut named = self.named(span);
        let [a, kernel] = [a, kernel].map(|array| named.name(self, array));
        let whole = convolution(&named, [a, kernel], axes, policy, span);
        let typed = self.expr(&whole);
        self.scope.leave(mark);
        Ok(bind::wrap(named.parts, typed))
    }
}

/// The syntax of a convolution.
fn convolution(
    named: &Named,
    [a, kernel]: [ast::Expr; 2],
    axes: usize,
    policy: Option<&ast::Expr>,
    span: Span,
) -> ast::Expr {
    let of = |kind| ast::Expr { kind, span };
    let number = |number: i64| of(ast::ExprKind::Const(Const::I64(number)));
    let binary = |op, x: ast::Expr, y| of(ast::ExprKind::Binary(op, Box::new(x), Box::new(y)));
    let function = |name: &str, args| call(name, args, named.mark, span);
    let extent = |axis: usize| {
        let axis = of(ast::ExprKind::Integer(axis as i128));
        function("extent", vec![kernel.clone(), axis])
    };
    // The element that lies on the point, and how many come before and behind it.
    let center = |axis| {
        let last = binary(BinaryOp::Sub, extent(axis), number(1));
        binary(BinaryOp::Div, last, number(2))
    };
    let before = |axis| binary(BinaryOp::Div, extent(axis), number(2));
    let idents: Vec<Ident> = (0..axes).map(|axis| named.ident(&format!("p{axis}"))).collect();
    let [cursor, builder, weight] = ["c", "b", "w"].map(|name| named.ident(name));
    let name = |ident: &Ident| of(ast::ExprKind::Name(ident.clone()));
    let away = |axis: usize| binary(BinaryOp::Sub, center(axis), name(&idents[axis]));
    let index = structure((0..axes).map(away).collect(), span);
    let read = of(ast::ExprKind::Index(Box::new(name(&cursor)), Box::new(index)));
    let product = binary(BinaryOp::Mul, name(&weight), read);
    let merged = function("merge", vec![name(&builder), product]);
    let mut place: Vec<Pattern> = idents.iter().cloned().map(Pattern::Name).collect();
    let place = if axes == 1 { place.remove(0) } else { Pattern::Struct(place, span) };
    let each = closure(vec![Pattern::Name(builder), place, Pattern::Name(weight)], merged, span);
    let origin = [kernel.clone()].into_iter().chain((0..axes).map(|_| number(0)));
    let weights = function("move_to", origin.collect());
    let body = function("summed", vec![weights, each]);
    let body = closure(vec![Pattern::Name(cursor)], body, span);
    let clamp = of(ast::ExprKind::Name(Ident { name: "clamp".to_owned(), mark: named.mark, span }));
    let args = vec![a, policy.cloned().unwrap_or(clamp), body];
    let whole = function("stencil", args);
    if policy.is_some() {
        return whole;
    }
    // Where nothing outside is read.
    let first = [whole].into_iter().chain((0..axes).map(before)).collect();
    let negated = |axis| binary(BinaryOp::Sub, number(0), center(axis));
    let rest = [function("drop", first)].into_iter().chain((0..axes).map(negated)).collect();
    function("drop", rest)
}

fn closure(params: Vec<Pattern>, body: ast::Expr, span: Span) -> ast::Expr {
    let params = params.into_iter().map(|pattern| ast::Param { pattern, ty: None }).collect();
    let closure = ast::Closure { params, result: None, body: Box::new(body), span };
    ast::Expr { kind: ast::ExprKind::Closure(closure), span }
}

/// `|x| x`, of a bool.
fn is_true(span: Span) -> ast::Expr {
    let ident = Ident { name: "x".to_owned(), mark: u32::MAX, span };
    let x = ast::Expr { kind: ast::ExprKind::Name(ident.clone()), span };
    let always = ast::Expr { kind: ast::ExprKind::Const(Const::Bool(true)), span };
    let body = ast::Expr { kind: ast::ExprKind::And(Box::new(x), Box::new(always)), span };
    closure(vec![Pattern::Name(ident)], body, span)
}

/// `|x, y| compare(x, y)`
fn comparator(span: Span) -> ast::Expr {
    let idents = ["x", "y"].map(|name| Ident { name: name.to_owned(), mark: u32::MAX, span });
    let names = idents.clone().map(|ident| ast::Expr { kind: ast::ExprKind::Name(ident), span });
    closure(idents.map(Pattern::Name).into(), call("compare", names.into(), u32::MAX, span), span)
}

/// The i128 `n`, or the i64 that is nearest to it: what is too large must not become another number.
fn within_i64(n: Expr) -> Expr {
    let (ty, span) = (n.ty.clone(), n.span);
    let bounded = |op, n: Expr, bound: i64| {
        let kind = ExprKind::Const(Const::I128(bound.into()));
        let bound = Expr { kind, ty: ty.clone(), span };
        Expr { kind: ExprKind::Binary(op, Box::new(n), Box::new(bound)), ty: ty.clone(), span }
    };
    bounded(BinaryOp::Min, bounded(BinaryOp::Max, n, i64::MIN), i64::MAX)
}
