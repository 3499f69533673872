//! Types of arrays: how they are made, and what is computed point by point.

use proc_macro2::Span;
use weldment_runtime::lang::scalar::BinaryOp;
use weldment_runtime::lang::types::MOST_AXES;

use super::ty::Ty;
use super::typed::{ArrayOp, Expr, ExprKind, Iter, IterKind};
use super::{Infer, Typed, bind, forms, sugar};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast;

/// The functions of arrays, by their arguments as errors name them.
const FUNCTIONS: [(&str, &[&str]); 43] = [
    ("scan", &["a", "axis", "init", "|c, x| …"]),
    ("array", &["shape", "|i, j| …"]),
    ("iota", &["n"]),
    ("shaped", &["v", "shape"]),
    ("cycled", &["v", "shape"]),
    ("flat", &["a"]),
    ("extent", &["a", "axis"]),
    ("lower", &["a", "axis"]),
    ("shape", &["a"]),
    ("get", &["a", "(i, j)", "or"]),
    ("indexed", &["a"]),
    ("take", &["a", "n"]),
    ("drop", &["a", "n"]),
    ("skip", &["a", "n"]),
    ("step_by", &["a", "n"]),
    ("reverse", &["a"]),
    ("rev", &["a"]),
    ("rotate", &["a", "n"]),
    ("transpose", &["a"]),
    ("permute", &["a", "[1, 0]"]),
    ("shift", &["a", "n"]),
    ("move_to", &["a", "n"]),
    ("expand", &["a", "axis"]),
    ("broadcast", &["a", "shape"]),
    ("reshape", &["a", "shape"]),
    ("diagonal", &["a"]),
    ("stack", &["axis", "a", "b"]),
    ("pad", &["a", "(1, 1)", "value"]),
    ("overwrite", &["a", "b"]),
    ("fuse", &["a", "b"]),
    ("spread", &["a", "n"]),
    ("reference", &["a", "|i, j| (j, i)"]),
    ("where_domain", &["(lo..hi, ..)", "a", "b"]),
    ("inner", &["a", "b"]),
    ("outer", &["a", "b", "|x, y| …"]),
    ("fill", &["a", "+", "v"]),
    ("stencil", &["a", "|c| …"]),
    ("lift", &["|x| …", "c"]),
    ("exists", &["c", "-1", "0"]),
    ("at", &["c"]),
    ("convolve", &["a", "kernel"]),
    ("to", &["c", "table", "k"]),
    ("seek", &["c", "|i, j| (j, i)"]),
];

/// What stands for the points of an array where one of the same points is made.
pub(super) const DOMAIN: &str = "domain";

/// The names of the functions of arrays.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name)
}

/// The arguments of the function `name`.
pub(super) fn form(name: &str) -> Option<&'static [&'static str]> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, form)| *form)
}

/// How many arguments a reduction has behind array and axes.
fn arguments_of(name: &str) -> usize {
    match name {
        "reduce" | "any" | "all" => 1,
        "fold" => 2,
        _ => 0,
    }
}

/// The type of the points of arrays of so many axes: an index, or a struct of some.
pub(super) fn point(axes: usize) -> Ty {
    if axes == 1 { Ty::I64 } else { Ty::structure(vec![Ty::I64; axes]) }
}

impl Infer<'_> {
    /// The type of the elements and the number of axes, if `ty` is that of an array.
    pub(super) fn array_of(&self, ty: &Ty) -> Option<(Ty, usize)> {
        match self.unifier.seen(ty) {
            Ty::Array(element, axes) => Some(((*element).clone(), axes.count)),
            _ => None,
        }
    }

    /// Whether `expr` is an array.
    pub(super) fn is_array(&mut self, expr: &ast::Expr) -> bool {
        self.peek(expr).is_some_and(|ty| self.array_of(&ty).is_some())
    }

    /// The type of `expr`, or of the first vector or array of a zip; `None` of what has none yet. What has been typed to find
    /// out is kept for where it is typed as part of a call.
    pub(super) fn peek(&mut self, expr: &ast::Expr) -> Option<Ty> {
        match &expr.kind {
            ast::ExprKind::Argument(args, at) => return self.peek(&args[*at]),
            ast::ExprKind::Name(name) => {
                return self.scope.find(name).map(|local| self.locals[local].ty.clone());
            }
            ast::ExprKind::Call { name, args, .. } if forms::is_transparent(name, args) => {
                return self.peek(&args[0]);
            }
            // Neighbours may be cursors, which are no value.
            ast::ExprKind::Call { .. } if self.has_rows(expr) => return None,
            ast::ExprKind::Call { name, args, .. } => match (name.name.as_str(), &args[..]) {
                ("zip", [first, ..]) if self.scope.find(name).is_none() => return self.peek(first),
                ("iter" | "rangeiter", _) => return None,
                ("lines" | "slabs", _) if !self.is_users(name) => return None,
                _ => {}
            },
            ast::ExprKind::Range(..) | ast::ExprKind::Closure(_) | ast::ExprKind::Operator(_) => return None,
            _ => {}
        }
        let typed = self.expr(expr);
        let ty = typed.ty.clone();
        self.peeked.push((std::ptr::from_ref(expr), typed));
        Some(ty)
    }

    /// The type of the elements of a vector.
    pub(super) fn element_of(&self, vector: &Expr) -> Ty {
        match self.unifier.seen(&vector.ty) {
            Ty::Vec(element) => (*element).clone(),
            other => other,
        }
    }

    /// A call of a function of arrays; `None` if `name` is not one, or its arguments are no arrays.
    pub(super) fn array_call(
        &mut self,
        name: &ast::Ident,
        args: &[ast::Expr],
        is_method: bool,
    ) -> Typed<Option<Expr>> {
        let span = name.span;
        if let Some(view) = self.view_call(name, args, is_method)? {
            return Ok(Some(view));
        }
        if let Some(whole) = self.pieces_call(name, args)? {
            return Ok(Some(whole));
        }
        if !self.is_users(name)
            && let Some(part) = self.scan_part(&name.name, args, span)?
        {
            return Ok(Some(part));
        }
        match (name.name.as_str(), args) {
            ("map", [of, function]) if self.is_array(of) => self.map_array(of, function, span),
            ("zip", [of, ..]) if self.is_array(of) => {
                let (iters, element) = self.arrays_of(args, span)?;
                let local = self.local("_", element.clone(), span);
                let body = Expr { kind: ExprKind::Local(local), ty: element, span };
                self.fill(iters, local, body, span)
            }
            (
                "sum" | "product" | "count" | "mean" | "var" | "std" | "argmin" | "argmax" | "reduce"
                | "fold" | "any" | "all",
                [of, axes, rest @ ..],
            ) if rest.len() == arguments_of(&name.name) && self.is_array(of) => {
                self.along_axes(name, of, axes, rest)
            }
            ("any" | "all", [of, axes]) if !self.is_function(axes) && self.is_array(of) => {
                self.along_axes(name, of, axes, &[])
            }
            // As functions they are of two arrays.
            ("min" | "max", [of, axes]) if is_method && self.is_array(of) => {
                self.along_axes(name, of, axes, &[])
            }
            ("min" | "max", [x, y]) if self.is_array(x) || self.is_array(y) => {
                let (x, y) = (self.expr(x), self.expr(y));
                let op = if name.name == "min" { BinaryOp::Min } else { BinaryOp::Max };
                self.pointwise(vec![x, y], span, |this, operands| {
                    let [x, y] = operands.try_into().expect("as many as were given");
                    this.combined(op, x, y, span)
                })
            }
            ("array", [shape, function]) => self.array_of_points(shape, function, span),
            ("iota", [extent]) => {
                let iters = vec![self.points(extent)];
                let local = self.local("_", Ty::I64, span);
                let body = Expr { kind: ExprKind::Local(local), ty: Ty::I64, span };
                self.fill(iters, local, body, span)
            }
            ("shaped" | "cycled", [vector, shape]) => {
                let element = self.unifier.fresh();
                let vector = self.vector(vector, &element);
                let shape = self.shape(shape);
                let axes = self.axes_of(&shape);
                let op = if name.name == "shaped" { ArrayOp::Shaped } else { ArrayOp::Cycled };
                let kind = ExprKind::OfArray(op, vec![vector, shape]);
                Ok(Expr { kind, ty: Ty::array(element, axes), span })
            }
            ("flat", [of]) => {
                let (of, element, _) = self.an_array(of)?;
                Ok(Expr { kind: ExprKind::OfArray(ArrayOp::Flat, vec![of]), ty: Ty::vec(element), span })
            }
            ("get", [of, at, or]) => self.get(of, at, or, span),
            ("indexed", [of]) => {
                let (of, _, _) = self.an_array(of)?;
                self.pointwise_at(vec![of], span, |_, at, mut element| {
                    let ty = Ty::structure([at.ty.clone(), element[0].ty.clone()]);
                    Ok(Expr { kind: ExprKind::Struct(vec![at, element.remove(0)]), ty, span })
                })
            }
            ("select", [cond, x, y]) if [cond, x, y].into_iter().any(|operand| self.is_array(operand)) => {
                let operands = [cond, x, y].map(|operand| self.expr(operand)).into();
                self.pointwise(operands, span, |this, operands| this.selected(operands, span))
            }
            ("reference", [of, function]) => self.reference(of, function, span),
            ("fill", [of, op, values]) => self.filled(of, op, values, span),
            ("inner", [a, b]) => self.inner(a, b, None, span),
            ("inner", [a, b, f, g]) => self.inner(a, b, Some((f, g)), span),
            ("outer", [a, b]) => self.outer(a, b, None, span),
            ("outer", [a, b, f]) => self.outer(a, b, Some(f), span),
            ("scan", [of, axis, init, function]) => self.scan(of, [axis, init, function], span),
            ("shape", [of]) => {
                let (of, _, axes) = self.an_array(of)?;
                Ok(Expr { kind: ExprKind::OfArray(ArrayOp::Shape, vec![of]), ty: point(axes), span })
            }
            ("extent" | "lower", [of, axis]) => {
                let (of, _, axes) = self.an_array(of)?;
                let axis = self.axis(axis, axes)?;
                let op = if name.name == "extent" { ArrayOp::Extent(axis) } else { ArrayOp::Lower(axis) };
                Ok(Expr { kind: ExprKind::OfArray(op, vec![of]), ty: Ty::I64, span })
            }
            // Those that vectors have as well.
            (other, _) if sugar::NAMES.contains(&other) => return Ok(None),
            _ => {
                let Some(form) = form(&name.name) else { return Ok(None) };
                self.arguments(args);
                Err(forms::wrong_number(name, args.len(), form, is_method))
            }
        }
        .map(Some)
    }

    /// `a.sum(axis)`: the same of each array of these axes, for each point of the others.
    fn along_axes(
        &mut self,
        name: &ast::Ident,
        of: &ast::Expr,
        along: &ast::Expr,
        rest: &[ast::Expr],
    ) -> Typed<Expr> {
        let span = name.span;
        let (of, element, axes) = self.an_array(of)?;
        let along = self.axes(along, axes)?;
        let line = Ty::array(element, along.len());
        let local = self.local("_", line, span);
        self.mark += 1;
        let ident = ast::Ident { name: "line".to_owned(), mark: self.mark, span };
        let mark = self.scope.enter();
        self.scope.bind(&ident, local);
        let args =
            [ast::Expr { kind: ast::ExprKind::Name(ident), span }].into_iter().chain(rest.iter().cloned());
        let kind = ast::ExprKind::Call {
            name: name.clone(),
            turbofish: None,
            args: args.collect::<Vec<_>>().into(),
            is_method: true,
        };
        let body = self.expr(&ast::Expr { kind, span });
        self.scope.leave(mark);
        if along.len() == axes {
            return Ok(bind::wrap(vec![(local, of)], body));
        }
        let iters = vec![Iter { span, kind: IterKind::Lines(of, along) }];
        self.fill(iters, local, body, span)
    }

    /// An argument that has to be an array, with the type of its elements and the number of its axes.
    pub(super) fn an_array(&mut self, of: &ast::Expr) -> Typed<(Expr, Ty, usize)> {
        let of = self.expr(of);
        match self.array_of(&of.ty) {
            Some((element, axes)) => Ok((of, element, axes)),
            None => Err(self.not_an_array(&of)),
        }
    }

    /// The error of what is no array where one is wanted.
    pub(super) fn not_an_array(&self, of: &Expr) -> Diagnostic {
        let found = self.unifier.show(&of.ty);
        let error =
            Diagnostic::new(Code::NeedsCollection, of.span, format!("expected an array, found `{found}`"));
        match self.unifier.seen(&of.ty) {
            Ty::Vec(_) => error.help("give a vector a shape: `v.shaped(v.len())`, `v.shaped((n, m))`"),
            Ty::Cursor(_) => error.help(
                "a cursor reads single elements; what needs a whole array comes before the stencil: `let s = a.scan(…);`",
            ),
            _ => error,
        }
    }

    /// The number of an axis, which is written as it is.
    pub(super) fn axis(&mut self, axis: &ast::Expr, axes: usize) -> Typed<usize> {
        let number = match &forms::strip(axis).kind {
            ast::ExprKind::Integer(number) => usize::try_from(*number).ok(),
            ast::ExprKind::Const(constant) => {
                constant.as_integer().and_then(|number| usize::try_from(number).ok())
            }
            _ => {
                let message = "the number of an axis is a constant";
                return Err(Diagnostic::new(Code::Axes, axis.span, message)
                    .help("write it as a literal: 0 is the first axis"));
            }
        };
        number.filter(|&number| number < axes).ok_or_else(|| {
            let message = format!("there is no such axis: the array has {axes}");
            Diagnostic::new(Code::Axes, axis.span, message)
                .help(format!("axes are counted from 0: the last one is {}", axes - 1))
        })
    }

    /// Types a shape: an extent, or a struct of some.
    pub(super) fn shape(&mut self, shape: &ast::Expr) -> Expr {
        let ast::ExprKind::Struct(extents) = &shape.kind else {
            let typed = self.expr(shape);
            if !matches!(self.unifier.seen(&typed.ty), Ty::Struct(_)) {
                let outcome = self.expect_index(&typed);
                self.report(outcome);
            }
            return typed;
        };
        let extents: Vec<Expr> = extents.iter().map(|extent| self.index(extent)).collect();
        let ty = Ty::structure(extents.iter().map(|extent| extent.ty.clone()));
        Expr { kind: ExprKind::Struct(extents), ty, span: shape.span }
    }

    /// Of how many axes an array of this shape is.
    pub(super) fn axes_of(&mut self, shape: &Expr) -> usize {
        let Ty::Struct(extents) = self.unifier.seen(&shape.ty) else { return 1 };
        if !(1..=MOST_AXES).contains(&extents.len()) {
            let message = format!("an array has 1 to {MOST_AXES} axes");
            self.errors.push(Diagnostic::new(Code::Axes, shape.span, message));
        }
        extents.len().clamp(1, MOST_AXES)
    }

    /// The points of a shape, or of an array: `domain(a)`.
    fn points(&mut self, shape: &ast::Expr) -> Iter {
        if let ast::ExprKind::Call { name, args, .. } = &shape.kind
            && let (DOMAIN, [of]) = (name.name.as_str(), &args[..])
            && self.is_array(of)
        {
            return Iter { kind: IterKind::Domain(self.expr(of)), span: shape.span };
        }
        Iter { kind: IterKind::Points(self.shape(shape)), span: shape.span }
    }

    /// `array(shape, |i, j| element)`
    fn array_of_points(&mut self, shape: &ast::Expr, function: &ast::Expr, span: Span) -> Typed<Expr> {
        let points = self.points(shape);
        let axes = match &points.kind {
            IterKind::Points(shape) => self.axes_of(&shape.clone()),
            IterKind::Domain(of) => self.array_of(&of.ty).map_or(1, |(_, axes)| axes),
            _ => unreachable!("these are points"),
        };
        let local = self.local("_", point(axes), span);
        let params = match &self.given(function)?.form.kind {
            ast::ExprKind::Closure(closure) if closure.params.len() == 1 => vec![point(axes)],
            _ => vec![Ty::I64; axes],
        };
        let (params, body) = self.function_of(function, &params)?;
        let whole = Expr { kind: ExprKind::Local(local), ty: point(axes), span };
        let parts = params.iter().enumerate().map(|(axis, &param)| {
            let value = match params.len() {
                1 => whole.clone(),
                _ => Expr { kind: ExprKind::Field(Box::new(whole.clone()), axis as u32), ty: Ty::I64, span },
            };
            (param, value)
        });
        let body = bind::wrap(parts.collect(), body);
        if let IterKind::Domain(of) = &points.kind {
            self.check_inside(of, local, &body);
        }
        self.fill(vec![points], local, body, span)
    }
}
