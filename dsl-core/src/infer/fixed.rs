//! Types of decimal numbers: their arithmetic, and how they are made and read.
//!
//! Each is the struct of its units, an i64, so that it compares, sorts and is a key as they are. Its scale is a part of the type: what differs
//! in it does not mix. A number that is too large for its type is the fault Overflow. What is computed is exact in 128 bits, and `Op::Units`
//! asks once, in the end, whether it has room: so a sum faults where its total is too large, in whatever order its parts are added.

use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::decimal::{self, Scale};
use weldment_runtime::lang::scalar::{BinaryOp, Const, UnaryOp};
use weldment_runtime::lang::types::Scalar;

use super::ty::Ty;
use super::typed::{Expr, ExprKind};
use super::{Infer, Typed, bind, builtins, forms, no_fixed, quoted, times};
use crate::syntax::{ast, names};

/// The methods of decimal numbers.
const METHODS: [&str; 5] = ["raw", "to_f64", "rescale", "div_round", "abs"];

const WIDE: Ty = Ty::Scalar(Scalar::I128);

impl Infer<'_> {
    /// What `name` is of a decimal number, or of a vector of them; `None` if it is no function of those.
    pub(super) fn fixed_call(
        &mut self,
        name: &ast::Ident,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Option<Expr>> {
        let span = name.span;
        if !self.is_users(name) {
            return match (name.name.as_str(), &args[..]) {
                ("fixed_raw", [of]) => {
                    let of = self.expr(of);
                    Ok(Some(self.units_of(of)))
                }
                ("as_fixed", [units, digits]) => {
                    let units = self.typed(units, &Ty::I64);
                    let digits = times::literal(digits).and_then(|digits| Scale::new(digits as u32));
                    Ok(Some(of_units(digits.expect("the table says it"), units, span)))
                }
                _ => Ok(None),
            };
        }
        let is_known = match name.name.as_str() {
            "sum" => args.len() == 1,
            "abs" => true,
            method => is_method && METHODS.contains(&method),
        };
        let Some(first) = args.first().filter(|_| is_known) else { return Ok(None) };
        if name.name == "sum" {
            let Some(scale) = self.elements_scale(first) else { return Ok(None) };
            let args: Rc<[ast::Expr]> = [quoted::argument(args, 0), digits(scale, span)].into();
            let total = self.sugar_of("fixed_sum", name, &args, false)?;
            return Ok(Some(of_units(scale, total, span)));
        }
        let Some(scale) = self.scale(first) else { return Ok(None) };
        let form: &[&str] = if name.name == "div_round" { &["x", "n"] } else { &["x"] };
        self.expect_args(name, args, form, is_method)?;
        let number = self.expr(first);
        Ok(Some(match name.name.as_str() {
            "raw" => self.units_of(number),
            "to_f64" => self.fixed_to_f64(scale, number, span),
            "abs" => {
                let units = self.units_of(number);
                let args = self.bound([wide(units)], span);
                let size = self.rounded("fixed_size", args, span)?;
                of_units(scale, narrow(size, scale, span), span)
            }
            "div_round" => {
                let by = self.expr(&args[1]);
                let by = self.integer(by, no_fixed::ROUNDED)?;
                let units = self.units_of(number);
                let args = self.bound([units, by], span);
                of_units(scale, self.rounded("fixed_divided", args, span)?, span)
            }
            _ => return Err(no_fixed::no_rescale(span)),
        }))
    }

    /// `x.rescale::<3>()`; `None` if `name` is another, or x is no decimal number.
    pub(super) fn rescale(
        &mut self,
        name: &ast::Ident,
        to: Option<&ast::Type>,
        args: &[ast::Expr],
    ) -> Typed<Option<Expr>> {
        if name.name != "rescale" {
            return Ok(None);
        }
        let (span, Some(from)) = (name.span, self.scale(&args[0])) else { return Ok(None) };
        self.expect_args(name, args, &["x"], true)?;
        let number = self.expr(&args[0]);
        let Some(to) = to else { return Err(no_fixed::no_rescale(span)) };
        let ty = self.ty(to);
        let to = match self.unifier.seen(&ty).as_fixed() {
            Some(to) => to,
            None if self.unifier.is_error(&ty) => return Ok(Some(self.hole(span))),
            None => return Err(no_fixed::no_rescale(to.span)),
        };
        let units = self.units_of(number);
        let factor = |of: Scale, over: Scale| Const::I64(of.one() / over.one());
        let units = match to.cmp(&from) {
            std::cmp::Ordering::Equal => units,
            std::cmp::Ordering::Greater => {
                let factor = constant(Const::I128((to.one() / from.one()).into()), span);
                narrow(binary(BinaryOp::Mul, wide(units), factor, span), to, span)
            }
            std::cmp::Ordering::Less => {
                let args = self.bound([units, constant(factor(from, to), span)], span);
                self.rounded("fixed_divided", args, span)?
            }
        };
        Ok(Some(of_units(to, units, span)))
    }

    /// `Fixed::<2>("12.34")`, `Fixed::<2>::from(x)` and its like, also of an alias; `None` if `name` is no such path.
    pub(super) fn fixed_made(&mut self, name: &ast::Ident, args: &Rc<[ast::Expr]>) -> Typed<Option<Expr>> {
        if let Some((scale, maker)) = names::fixed(&name.name) {
            return match maker {
                None => self.fixed_literal(scale, name, args).map(Some),
                Some(maker) => self.fixed_from(scale, name, maker, args).map(Some),
            };
        }
        let Some((first, maker)) = name.name.split_once("::") else { return Ok(None) };
        let first = ast::Ident { name: first.to_owned(), ..name.clone() };
        if self.alias(&first).is_none() {
            return Ok(None);
        }
        let ty = self.named_type(&first, &[]);
        match self.unifier.seen(&ty).as_fixed() {
            Some(scale) => self.fixed_from(scale, name, maker, args).map(Some),
            None => Ok(None),
        }
    }

    /// `Fixed::<2>("12.34")`: a constant.
    pub(super) fn fixed_literal(
        &mut self,
        scale: Scale,
        name: &ast::Ident,
        args: &[ast::Expr],
    ) -> Typed<Expr> {
        self.expect_args(name, args, &["\"12.34\""], false)?;
        let ast::ExprKind::Bytes(text, _) = &forms::strip(&args[0]).kind else {
            self.expr(&args[0]);
            return Err(no_fixed::no_literal(scale, &name.name, args[0].span));
        };
        let read = decimal::read(&String::from_utf8_lossy(text), scale)
            .map_err(|why| no_fixed::no_number(scale, &why, args[0].span));
        // Where the text is none of the type, what is written is one all the same to what stands around it.
        let units = self.report(read).unwrap_or_default();
        Ok(of_units(scale, constant(Const::I64(units), name.span), name.span))
    }

    /// `Fixed::<2>::from(x)` or `Fixed::<2>::from_raw(n)`
    fn fixed_from(
        &mut self,
        scale: Scale,
        name: &ast::Ident,
        maker: &str,
        args: &[ast::Expr],
    ) -> Typed<Expr> {
        let span = name.span;
        let Some((_, form)) = no_fixed::MAKERS.iter().find(|(known, _)| *known == maker) else {
            self.arguments(args);
            return Err(no_fixed::no_maker(name, maker));
        };
        self.expect_args(name, args, &[form], false)?;
        let x = self.expr(&args[0]);
        if maker == "from_raw" {
            self.expect(&x, &Ty::I64)?;
            return Ok(of_units(scale, x, span));
        }
        if let Ty::Scalar(of) = self.unifier.seen(&x.ty)
            && of.is_float()
        {
            self.expect(&x, &Ty::Scalar(of))?;
            let x = cast(x, Scalar::F64);
            let one = constant(Const::I128(scale.one().into()), span);
            let args = self.bound([x, one], span);
            let units = self.rounded("fixed_of_float", args, span)?;
            return Ok(of_units(scale, narrow(units, scale, span), span));
        }
        let found = self.unifier.seen(&x.ty);
        if found.as_fixed().is_some() {
            return Err(no_fixed::no_scale_change(scale, span));
        }
        let x = self.integer(x, no_fixed::FROM)?;
        let one = constant(Const::I128(scale.one().into()), span);
        Ok(of_units(scale, narrow(binary(BinaryOp::Mul, wide(x), one, span), scale, span), span))
    }

    /// `x op y`, of which one is a decimal number; `None` if neither is. What is given back has not been typed further.
    pub(super) fn fixed_arithmetic(
        &mut self,
        op: BinaryOp,
        x: Expr,
        y: Expr,
        span: Span,
    ) -> Typed<Result<Expr, (Expr, Expr)>> {
        use BinaryOp::{Add, Max, Min, Mul, Sub};
        let scales = [&x, &y].map(|side| self.unifier.seen(&side.ty).as_fixed());
        let (scale, units) = match (op, scales) {
            (_, [None, None]) => return Ok(Err((x, y))),
            _ if [&x, &y].iter().any(|side| self.unifier.is_error(&side.ty)) => {
                return Ok(Ok(self.hole(span)));
            }
            (Add | Sub, [Some(a), Some(b)]) if a == b => {
                let [x, y] = [x, y].map(|side| wide(self.units_of(side)));
                (a, narrow(binary(op, x, y, span), a, span))
            }
            (Min | Max, [Some(a), Some(b)]) if a == b => {
                let [x, y] = [x, y].map(|side| self.units_of(side));
                (a, binary(op, x, y, span))
            }
            (Mul, [Some(a), Some(b)]) => {
                let Some(scale) = Scale::new(a.digits() + b.digits()) else {
                    return Err(self.no_product([&x, &y], [a, b], span));
                };
                let [x, y] = [x, y].map(|side| wide(self.units_of(side)));
                (scale, narrow(binary(op, x, y, span), scale, span))
            }
            (Mul, [Some(scale), None]) if !self.is_float(&y) => {
                let (x, y) = (self.units_of(x), self.integer(y, no_fixed::FACTOR)?);
                (scale, narrow(binary(op, wide(x), wide(y), span), scale, span))
            }
            (Mul, [None, Some(scale)]) if !self.is_float(&x) => {
                let (x, y) = (self.integer(x, no_fixed::FACTOR)?, self.units_of(y));
                (scale, narrow(binary(op, wide(x), wide(y), span), scale, span))
            }
            _ => return Err(self.no_fixed_arithmetic(op, [&x, &y], scales, span)),
        };
        Ok(Ok(of_units(scale, units, span)))
    }

    /// `-x`, if that is a decimal number.
    pub(super) fn fixed_negated(&self, op: UnaryOp, x: &Expr, span: Span) -> Option<Expr> {
        let scale = self.unifier.seen(&x.ty).as_fixed().filter(|_| op == UnaryOp::Neg)?;
        let units = Box::new(wide(self.units_of(x.clone())));
        let negated = Expr { kind: ExprKind::Unary(op, units), ty: WIDE, span };
        Some(of_units(scale, narrow(negated, scale, span), span))
    }

    /// `x.to_f64()`
    pub(super) fn fixed_to_f64(&self, scale: Scale, x: Expr, span: Span) -> Expr {
        let one = constant(Const::F64(scale.one() as f64), span);
        binary(BinaryOp::Div, cast(self.units_of(x), Scalar::F64), one, span)
    }

    /// What a group's sum of decimal numbers is when it is finished, of the sum of their units in 128 bits.
    pub(super) fn fixed_total(scale: Scale, units: Expr, span: Span) -> Expr {
        of_units(scale, narrow(units, scale, span), span)
    }

    /// The units of decimal numbers, in 128 bits.
    pub(super) fn wide_units(&self, of: Expr) -> Expr {
        wide(self.units_of(of))
    }

    /// The units of `of`, which is known to be a decimal number.
    pub(super) fn units_of(&self, of: Expr) -> Expr {
        let span = of.span;
        Expr { kind: ExprKind::Field(Box::new(of), 0), ty: Ty::I64, span }
    }

    /// The scale of `expr`, if that is a decimal number.
    fn scale(&mut self, expr: &ast::Expr) -> Option<Scale> {
        self.peek(expr).and_then(|ty| self.unifier.seen(&ty).as_fixed())
    }

    /// The scale of the elements of `expr`, if those are decimal numbers. Of a `zip` they are pairs.
    fn elements_scale(&mut self, expr: &ast::Expr) -> Option<Scale> {
        let is_zip = |name: &ast::Ident| name.name == "zip";
        if matches!(&forms::strip(expr).kind, ast::ExprKind::Call { name, .. } if is_zip(name)) {
            return None;
        }
        let element = self.peek_element(expr)?;
        self.unifier.seen(&element).as_fixed()
    }

    fn is_float(&self, of: &Expr) -> bool {
        matches!(self.unifier.seen(&of.ty), Ty::Scalar(scalar) if scalar.is_float())
    }

    /// An integer as an i64, whose every value fits one. Of what is none, the error says what is `wanted`, and `help`.
    fn integer(&mut self, of: Expr, (wanted, help): (&str, &str)) -> Typed<Expr> {
        match self.unifier.seen(&of.ty) {
            Ty::Scalar(scalar) if scalar.is_integer() && scalar.size() < 8 => {
                self.expect(&of, &Ty::Scalar(scalar))?;
                Ok(cast(of, Scalar::I64))
            }
            Ty::Scalar(Scalar::I64) | Ty::Var(_) => {
                self.expect(&of, &Ty::I64)?;
                Ok(of)
            }
            _ if self.unifier.is_error(&of.ty) => Ok(Expr { ty: Ty::I64, ..of }),
            _ => Err(self.no_integer(&of, wanted, help)),
        }
    }

    /// Names for typed expressions, to be handed to a macro of the table.
    fn bound<const N: usize>(&mut self, parts: [Expr; N], span: Span) -> (quoted::Named, Vec<ast::Expr>) {
        let mut named = self.named(span);
        let args = parts.into_iter().map(|part| named.name(self, part)).collect();
        (named, args)
    }

    /// What a macro of the table gives of numbers that have names.
    fn rounded(
        &mut self,
        table: &str,
        (named, args): (quoted::Named, Vec<ast::Expr>),
        span: Span,
    ) -> Typed<Expr> {
        let call = quoted::call(table, args, named.mark, span);
        let typed = self.expr(&call);
        Ok(bind::wrap(named.parts, typed))
    }
}

/// The methods of decimal numbers.
#[doc(hidden)]
pub fn methods() -> impl Iterator<Item = &'static str> {
    METHODS.into_iter()
}

/// The decimal number of so many units.
pub(super) fn of_units(scale: Scale, units: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Struct(vec![units]), ty: Ty::fixed(scale), span }
}

/// So many units as an i64, or the fault Overflow.
fn narrow(units: Expr, scale: Scale, span: Span) -> Expr {
    let digits = constant(Const::I64(scale.digits().into()), span);
    Expr { kind: ExprKind::Builtin(builtins::units(), vec![units, digits]), ty: Ty::I64, span }
}

pub(super) fn digits(scale: Scale, span: Span) -> ast::Expr {
    ast::Expr { kind: ast::ExprKind::Const(Const::I64(scale.digits().into())), span }
}

fn constant(constant: Const, span: Span) -> Expr {
    Expr { kind: ExprKind::Const(constant), ty: Ty::Scalar(constant.scalar()), span }
}

fn wide(of: Expr) -> Expr {
    cast(of, Scalar::I128)
}

fn cast(of: Expr, to: Scalar) -> Expr {
    let span = of.span;
    Expr { kind: ExprKind::Cast(Box::new(of)), ty: Ty::Scalar(to), span }
}

/// `x op y`, of one type.
fn binary(op: BinaryOp, x: Expr, y: Expr, span: Span) -> Expr {
    let ty = x.ty.clone();
    Expr { kind: ExprKind::Binary(op, Box::new(x), Box::new(y)), ty, span }
}
