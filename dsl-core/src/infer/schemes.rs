//! Types of calls of functions from values to a value: what the table of them says of each argument, and of the result.

use proc_macro2::Span;
use weldment_runtime::lang::types::Scalar;

use super::builtins::{Gives, Param, Scheme};
use super::condition::Check;
use super::ty::Ty;
use super::typed::Expr;
use super::{Infer, Typed};
use crate::syntax::ast;

impl Infer<'_> {
    /// The arguments of a function from values to a value, and the type of what it gives.
    pub(super) fn by_scheme(
        &mut self,
        scheme: &Scheme,
        args: &[ast::Expr],
        span: Span,
    ) -> Typed<(Vec<Expr>, Ty)> {
        let mut typed: Vec<Expr> = Vec::new();
        let mut entry = None;
        for (param, arg) in scheme.params.iter().zip(args) {
            let arg = match (param, &entry) {
                (Param::Is(scalar), _) => self.typed(arg, &Ty::Scalar(*scalar)),
                (Param::Bytes, _) => self.typed(arg, &Ty::vec(Ty::Scalar(Scalar::U8))),
                (Param::Vector | Param::Numbers, _) => {
                    let element = self.unifier.fresh();
                    self.vector(arg, &element)
                }
                (Param::Index, _) => self.index(arg),
                (Param::Key, Some((key, _))) => self.typed(arg, key),
                _ => self.expr(arg),
            };
            match (param, typed.last()) {
                (Param::Same, Some(before)) => self.same(before, &arg)?,
                (Param::Dict, _) => entry = Some(self.dict(&arg)?),
                _ => {}
            }
            typed.push(arg);
        }
        for (param, arg) in scheme.params.iter().zip(&typed) {
            let ty = arg.ty.clone();
            match param {
                Param::Stored => self.require(Check::Value(ty, span)),
                Param::Ordered => self.require(Check::Ordered(ty, span)),
                Param::Numbers => self.require(Check::Number(self.element_of(arg), "quantile", span)),
                Param::Sized => {
                    if self.unifier.is_error(&ty) {
                        // For advice.
                        let wanted = Ty::vec(self.unifier.fresh());
                        let _ = self.unifier.unify(&ty, &wanted);
                    }
                    self.require(Check::Len(ty, span));
                }
                _ => {}
            }
        }
        let ty = match (scheme.gives, entry) {
            (Gives::Scalar(scalar), _) => Ty::Scalar(scalar),
            (Gives::Argument(number), _) => typed[number].ty.clone(),
            (Gives::Two, _) => {
                let element = self.element_of(&typed[0]);
                Ty::structure([element.clone(), element])
            }
            (Gives::Text(function), _) => Ty::from(&function.gives()),
            (Gives::Bytes, _) => Ty::vec(Ty::Scalar(Scalar::U8)),
            (Gives::Pairs, Some((key, value))) => Ty::vec(Ty::structure([key, value])),
            (Gives::Found, Some((_, value))) => Ty::structure([Ty::BOOL, value]),
            (Gives::Pairs | Gives::Found, None) => unreachable!("the table names a dictionary before"),
        };
        Ok((typed, ty))
    }
}
