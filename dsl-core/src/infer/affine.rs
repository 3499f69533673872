//! Types of `reference`, whose function of coordinates has to be affine; and of reads that are outside for one of the points of an
//! array.

use std::collections::{HashMap, HashSet};

use proc_macro2::Span;
use weldment_runtime::lang::scalar::{BinaryOp, UnaryOp};
use weldment_runtime::lang::types::MOST_AXES;

use super::ty::Ty;
use super::typed::{ArrayOp, Coordinate, Expr, ExprKind, Local};
use super::{Infer, Typed, arrays, bind, forms};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast;

/// By how much coordinates may be multiplied: products of two such numbers do not wrap.
const MOST_SCALE: i64 = 1 << 31;

/// `plus + index * scale`, where something that is known when the program runs may be added to it.
struct Affine {
    index: Option<usize>,
    scale: i64,
    plus: i64,
    offset: Option<Expr>,
}

/// What the names in a function of coordinates mean.
#[derive(Default)]
struct Names<'e> {
    /// The number of the index that a name is.
    indices: HashMap<Local, usize>,
    /// Those that are the struct of all indices.
    points: HashSet<Local>,
    /// What names are bound to that depends on indices.
    values: HashMap<Local, &'e Expr>,
}

impl Infer<'_> {
    /// `a.reference(|i, j| (j, 2 * i))`
    pub(super) fn reference(&mut self, of: &ast::Expr, function: &ast::Expr, span: Span) -> Typed<Expr> {
        let (of, element, axes) = self.an_array(of)?;
        if self.is_refused(function) {
            return Ok(self.hole(span));
        }
        let (types, is_point, places) = {
            let given = self.given(function)?;
            let closure = given.closure()?;
            let spans = |patterns: &mut dyn Iterator<Item = &ast::Pattern>| -> Vec<Span> {
                patterns.map(ast::Pattern::span).collect()
            };
            match &closure.params[..] {
                [ast::Param { pattern: ast::Pattern::Struct(fields, _), .. }] => {
                    (vec![arrays::point(fields.len())], true, spans(&mut fields.iter()))
                }
                params => {
                    let patterns = &mut params.iter().map(|param| &param.pattern);
                    (vec![Ty::I64; params.len()], false, spans(patterns))
                }
            }
        };
        let count = match &types[..] {
            [Ty::Struct(fields)] => fields.len(),
            types => types.len(),
        };
        if !(1..=MOST_AXES).contains(&count) {
            let message = format!("an array has 1 to {MOST_AXES} axes");
            let error = Diagnostic::new(Code::Axes, function.span, message);
            return Err(
                error.help("the result has an axis for each parameter: `a.reference(|i, j| (j, 2 * i))`")
            );
        }
        let (params, body) = self.function_of(function, &types)?;
        let mut names = Names::default();
        for (number, &param) in params.iter().enumerate() {
            if is_point && count > 1 {
                names.points.insert(param);
            } else {
                names.indices.insert(param, number);
            }
        }
        let (lets, result) = names.unwrapped(&body);
        let coordinates = match &result.kind {
            ExprKind::Struct(coordinates) => &coordinates[..],
            _ => std::slice::from_ref(result),
        };
        if coordinates.len() != axes {
            if self.unifier.is_error(&result.ty) {
                return Ok(self.hole(span));
            }
            let found = forms::counted(coordinates.len(), "coordinate");
            let message = format!("{found}, for {}", forms::of_axes(axes));
            let error = Diagnostic::new(Code::Axes, result.span, message);
            return Err(error.help("the function gives a coordinate for each axis of the array that is read"));
        }
        let (mut affine, mut args) = (Vec::new(), vec![of]);
        for coordinate in coordinates {
            let outcome = self.expect_index(coordinate);
            if self.report(outcome).is_none() {
                return Ok(self.hole(span));
            }
            let Affine { index, scale, plus, offset } = names.affine(coordinate)?;
            affine.push(Coordinate { index, scale, plus, is_moved: offset.is_some() });
            args.extend(offset);
        }
        if let Some(unused) =
            (0..count).find(|&index| affine.iter().all(|coordinate| coordinate.index != Some(index)))
        {
            let message = "no coordinate is made of this index, which has no range then";
            let error = Diagnostic::new(Code::NotAffine, places[unused], message);
            return Err(error.help("an axis that repeats all is inserted by `a.expand(0)`"));
        }
        let ty = Ty::array(element, count);
        let view = Expr { kind: ExprKind::OfArray(ArrayOp::Reference(affine.into()), args), ty, span };
        Ok(bind::wrap(lets, view))
    }

    /// Refuses what `body`, which is computed for each point of an array that has this name, reads of it at a constant distance.
    pub(super) fn check_inside(&mut self, of: &Expr, point: Local, body: &Expr) {
        let ExprKind::Local(array) = of.kind else { return };
        let mut names = Names::default();
        match self.array_of(&of.ty) {
            Some((_, 1)) => drop(names.indices.insert(point, 0)),
            _ => drop(names.points.insert(point)),
        }
        let mut outside = Vec::new();
        names.outside(array, body, &mut outside);
        for (span, away) in outside {
            let end = if away < 0 { "before the first" } else { "behind the last" };
            let message = format!("this is read {end} one of the points, too, where nothing is");
            let error = Diagnostic::new(Code::Outside, span, message);
            self.errors.push(error.help(
                "say what is read there, `a.get((i, j), 0.0)` or `a.stencil(clamp, |c| …)`; or run over fewer points",
            ));
        }
    }
}

impl<'e> Names<'e> {
    /// What is inside of `let`s, and those of them that no index is in, to be bound around.
    fn unwrapped(&mut self, body: &'e Expr) -> (Vec<(Local, Expr)>, &'e Expr) {
        let (mut lets, mut inner) = (Vec::new(), body);
        while let ExprKind::Let(bindings, body) = &inner.kind {
            for (local, value) in bindings {
                if self.holds_index(value) {
                    self.values.insert(*local, value);
                } else {
                    lets.push((*local, value.clone()));
                }
            }
            inner = body;
        }
        (lets, inner)
    }

    fn holds_index(&self, expr: &Expr) -> bool {
        if let ExprKind::Local(local) = &expr.kind {
            return self.indices.contains_key(local)
                || self.points.contains(local)
                || self.values.contains_key(local);
        }
        let mut holds = false;
        expr.for_each_part(&mut |part| holds = holds || self.holds_index(part));
        holds
    }

    /// The index that `expr` is.
    fn index(&self, expr: &Expr) -> Option<usize> {
        match &expr.kind {
            ExprKind::Local(local) => match self.indices.get(local) {
                Some(&index) => Some(index),
                None => self.index(self.values.get(local)?),
            },
            ExprKind::Field(point, number) => self.is_point(point).then_some(*number as usize),
            _ => None,
        }
    }

    fn is_point(&self, expr: &Expr) -> bool {
        let ExprKind::Local(local) = &expr.kind else { return false };
        self.points.contains(local) || self.values.get(local).is_some_and(|value| self.is_point(value))
    }

    /// The affine form of a coordinate, or the error of what is not.
    fn affine(&self, expr: &Expr) -> Typed<Affine> {
        if let Some(number) = expr.constant() {
            return Ok(Affine { index: None, scale: 0, plus: number, offset: None });
        }
        if !self.holds_index(expr) {
            return Ok(Affine { index: None, scale: 0, plus: 0, offset: Some(expr.clone()) });
        }
        if let Some(index) = self.index(expr) {
            return Ok(Affine { index: Some(index), scale: 1, plus: 0, offset: None });
        }
        match &expr.kind {
            ExprKind::Local(local) if self.values.contains_key(local) => self.affine(self.values[local]),
            ExprKind::Let(..) => {
                let mut inner = Names {
                    indices: self.indices.clone(),
                    points: self.points.clone(),
                    values: self.values.clone(),
                };
                let (lets, body) = inner.unwrapped(expr);
                let mut affine = inner.affine(body)?;
                affine.offset = affine.offset.map(|offset| bind::wrap(lets, offset));
                Ok(affine)
            }
            ExprKind::Unary(UnaryOp::Neg, x) => self.scaled(self.affine(x)?, -1, expr),
            ExprKind::Binary(BinaryOp::Mul, x, y) => match (x.constant(), y.constant()) {
                (Some(scale), _) => self.scaled(self.affine(y)?, scale, expr),
                (_, Some(scale)) => self.scaled(self.affine(x)?, scale, expr),
                _ => Err(not_affine(expr.span, "an index is multiplied by a constant alone")),
            },
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), x, y) => {
                let (x, y) = (self.affine(x)?, self.affine(y)?);
                let y = if *op == BinaryOp::Sub { self.scaled(y, -1, expr)? } else { y };
                let (index, scale) = match (x.index, y.index) {
                    (Some(_), Some(_)) => {
                        return Err(not_affine(expr.span, "a coordinate is made of one index at most"));
                    }
                    (index, None) => (index, x.scale),
                    (None, index) => (index, y.scale),
                };
                let plus = x.plus.checked_add(y.plus).ok_or_else(|| too_large(expr.span))?;
                let offset = match (x.offset, y.offset) {
                    (Some(x), Some(y)) => Some(binary(BinaryOp::Add, as_i64(x), as_i64(y))),
                    (x, y) => x.or(y),
                };
                Ok(Affine { index, scale, plus, offset })
            }
            _ => Err(not_affine(expr.span, "this is no sum of an index, times a constant, and a number")),
        }
    }

    fn scaled(&self, of: Affine, by: i64, expr: &Expr) -> Typed<Affine> {
        let times = |number: i64| number.checked_mul(by).ok_or_else(|| too_large(expr.span));
        let scale = times(of.scale)?;
        if scale.unsigned_abs() > MOST_SCALE as u64 {
            return Err(too_large(expr.span));
        }
        if of.index.is_some() && scale == 0 {
            return Err(not_affine(expr.span, "an index times 0 is no index"));
        }
        let offset = of.offset.map(|offset| {
            let span = offset.span;
            let factor = Expr { kind: ExprKind::Integer(by.into()), ty: Ty::I64, span };
            binary(BinaryOp::Mul, as_i64(offset), factor)
        });
        Ok(Affine { index: of.index, scale, plus: times(of.plus)?, offset })
    }

    /// Adds each place where `expr`, which is computed for every point, reads the array at a distance that is constant along an axis,
    /// and the distance.
    fn outside(&mut self, array: Local, expr: &'e Expr, found: &mut Vec<(Span, i64)>) {
        match &expr.kind {
            ExprKind::Let(bindings, body) => {
                for (local, value) in bindings {
                    self.outside(array, value, found);
                    if self.holds_index(value) {
                        self.values.insert(*local, value);
                    }
                }
                self.outside(array, body, found);
            }
            // What only some points compute may be inside.
            ExprKind::If { cond: first, .. } | ExprKind::And(first, _) | ExprKind::Or(first, _) => {
                self.outside(array, first, found);
            }
            ExprKind::Fill { .. }
            | ExprKind::Stencil { .. }
            | ExprKind::Lift(..)
            | ExprKind::Sort { .. }
            | ExprKind::Iterate { .. }
            | ExprKind::Fold { .. }
            | ExprKind::Search { .. }
            | ExprKind::For { .. }
            | ExprKind::Builder { .. } => {}
            ExprKind::Lookup(of, key) => {
                if matches!(of.kind, ExprKind::Local(local) if local == array) {
                    let indices = match &key.kind {
                        ExprKind::Struct(indices) => &indices[..],
                        _ => std::slice::from_ref(&**key),
                    };
                    for (axis, index) in indices.iter().enumerate() {
                        if let Ok(Affine { index: Some(of), scale: 1, plus, offset: None }) =
                            self.affine(index)
                            && of == axis
                            && plus != 0
                        {
                            found.push((index.span, plus));
                        }
                    }
                }
                self.outside(array, key, found);
            }
            _ => expr.for_each_part(&mut |part| self.outside(array, part, found)),
        }
    }
}

/// An offset of any integer type, as an i64.
fn as_i64(of: Expr) -> Expr {
    if of.ty == Ty::I64 {
        return of;
    }
    let span = of.span;
    Expr { kind: ExprKind::Cast(Box::new(of)), ty: Ty::I64, span }
}

fn binary(op: BinaryOp, x: Expr, y: Expr) -> Expr {
    let span = x.span;
    Expr { kind: ExprKind::Binary(op, Box::new(x), Box::new(y)), ty: Ty::I64, span }
}

fn not_affine(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(Code::NotAffine, span, message)
        .help("compute such elements by index: `array((n, m), |i, j| a[i / 2, i + j])`")
}

fn too_large(span: Span) -> Diagnostic {
    not_affine(span, "no array is as long as this is far")
}
