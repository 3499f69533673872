//! Types of comparisons beside bitwise operators, which Weld and Rust group otherwise.
//!
//! The operands are typed once, and tell which groupings have a type: `x >= 2L & x < 5L` has one to Weld alone. That is
//! what a program in Weld's spelling means by it. Where the other language would mean something as well, or only that,
//! nothing is chosen, and the error writes the program with the parentheses that say which.

use proc_macro2::Span;
use weldment_runtime::lang::types::Scalar;

use super::ty::Ty;
use super::typed::Expr;
use super::{Infer, Typed};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Infix, Mixed, Spelling, group};

/// What an operand is to the operators of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Bool,
    Integer,
    /// A value without bits to combine.
    Other,
    Unknown,
}

impl Class {
    /// What `infix` makes of two operands; nothing if it does not take them.
    fn combine(self, infix: Infix, other: Class) -> Option<Class> {
        match (infix, self, other) {
            (Infix::Compare(_), Class::Unknown, _) | (Infix::Compare(_), _, Class::Unknown) => {
                Some(Class::Bool)
            }
            // Numbers of two types are a mistake of their own.
            (Infix::Compare(_), a, b) => ((a == Class::Bool) == (b == Class::Bool)).then_some(Class::Bool),
            (Infix::Bits(_), Class::Other, _) | (Infix::Bits(_), _, Class::Other) => None,
            (Infix::Bits(_), Class::Unknown, class) | (Infix::Bits(_), class, Class::Unknown) => Some(class),
            (Infix::Bits(_), a, b) => (a == b).then_some(a),
        }
    }
}

impl Infer<'_> {
    /// Types a row, grouped as the program's spelling does if no other grouping has a type.
    pub(super) fn mixed(&mut self, mixed: &Mixed, span: Span) -> Typed<Expr> {
        if !self.enter_row(mixed.operators.len(), span) {
            return Ok(self.hole(span));
        }
        let operands: Vec<Expr> = mixed.operands.iter().map(|operand| self.expr(operand)).collect();
        self.leave_row(mixed.operators.len());
        let classes: Vec<Class> = operands.iter().map(|operand| self.class(&operand.ty)).collect();
        let has_type = |spelling| {
            let classes = classes.iter().copied().map(Some).collect();
            let combine = |x: Option<Class>, infix, _, y: Option<Class>| x?.combine(infix, y?);
            mixed.is_read(spelling) && group(classes, &mixed.operators, spelling, combine).is_some()
        };
        let (weld, rust) = (has_type(Spelling::Weld), has_type(Spelling::Rust));
        if self.spelling == Spelling::Weld && weld && !rust {
            return Ok(group(operands, &mixed.operators, Spelling::Weld, |x, infix, span, y| match infix {
                Infix::Compare(op) => self.compared(op, x, y, span),
                Infix::Bits(op) => {
                    let combined = self.combined(op, x, y, span);
                    self.report(combined).unwrap_or_else(|| self.hole(span))
                }
            }));
        }
        if operands.iter().any(|operand| self.unifier.is_error(&operand.ty)) {
            return Ok(self.hole(span));
        }
        Err(needs_parentheses(mixed, weld, rust, span))
    }

    fn class(&self, ty: &Ty) -> Class {
        match self.unifier.seen(ty) {
            Ty::Scalar(Scalar::Bool) => Class::Bool,
            Ty::Scalar(scalar) if scalar.is_integer() => Class::Integer,
            seen if self.unifier.is_literal(&seen) => Class::Integer,
            Ty::Var(_) => Class::Unknown,
            _ => Class::Other,
        }
    }
}

/// The error of a row of which the groupings that are `weld`'s and `rust`'s have a type, or none.
fn needs_parentheses(mixed: &Mixed, weld: bool, rust: bool, span: Span) -> Diagnostic {
    let symbol = |is_comparison: bool| {
        let mut operators = mixed.operators.iter().map(|(infix, _)| *infix);
        operators.find(|infix| infix.is_comparison() == is_comparison).map_or("", Infix::symbol)
    };
    let message = format!(
        "`{}` beside `{}` needs parentheses: Weld and Rust disagree on which comes first",
        symbol(false),
        symbol(true)
    );
    let reads = |spelling, has_type: bool| has_type || weld == rust && mixed.is_read(spelling);
    let groupings = [(Spelling::Rust, rust), (Spelling::Weld, weld)];
    let written: Vec<String> = groupings
        .into_iter()
        .filter(|&(spelling, has_type)| reads(spelling, has_type))
        .map(|(spelling, _)| format!("`{}`", mixed.written(spelling)))
        .collect();
    Diagnostic::new(Code::BitsBesideComparison, span, message).help(format!("write {}", written.join(" or ")))
}
