//! Powers whose exponent is an integer: the order of their multiplications is fixed, so that all executors give the same bits.
//!
//! The exponent is taken apart from its last binary digit on: what the base is squared to is multiplied in where the digit is 1. Of an
//! exponent that is written as a number only these multiplications are left.

use proc_macro2::Span;
use weldment_runtime::lang::scalar::BinaryOp;

use super::condition::Check;
use super::quoted::call;
use super::typed::{Expr, ExprKind};
use super::{Infer, Typed, bind};
use crate::syntax::ast;

impl Infer<'_> {
    /// `powi(x, n)`
    pub(super) fn integer_power(&mut self, x: &ast::Expr, n: &ast::Expr, span: Span) -> Typed<Expr> {
        let x = self.expr(x);
        let ty = x.ty.clone();
        self.check(Check::Float(ty.clone(), "powi", self.written(&x), x.span))?;
        let n = self.index(n);
        let one = Expr { kind: ExprKind::Float("1.0".to_owned()), ty, span };
        if let Some(exponent) = n.constant() {
            return Ok(self.multiplied(x, exponent, one));
        }
        let mark = self.scope.enter();
        let mut named = self.named(span);
        let args = [x, n, one].map(|arg| named.name(self, arg));
        let power = self.expr(&call("power", args.into(), named.mark, span));
        self.scope.leave(mark);
        Ok(bind::wrap(named.parts, power))
    }

    /// The product that a power with this exponent is.
    fn multiplied(&mut self, x: Expr, exponent: i64, one: Expr) -> Expr {
        let (ty, span) = (x.ty.clone(), one.span);
        let expr = |kind| Expr { kind, ty: ty.clone(), span };
        let binary = |op, x, y| expr(ExprKind::Binary(op, Box::new(x), Box::new(y)));
        let (mut squares, mut product) = (Vec::new(), None);
        let (mut square, mut digits) = (x, exponent.unsigned_abs());
        while digits > 0 {
            let local = self.local("_", ty.clone(), span);
            squares.push((local, square));
            let this = expr(ExprKind::Local(local));
            if digits % 2 == 1 {
                product = Some(match product {
                    Some(product) => binary(BinaryOp::Mul, product, this.clone()),
                    None => this.clone(),
                });
            }
            square = binary(BinaryOp::Mul, this.clone(), this);
            digits /= 2;
        }
        let product = product.unwrap_or_else(|| one.clone());
        let power = if exponent < 0 { binary(BinaryOp::Div, one, product) } else { product };
        bind::wrap(squares, power)
    }
}
