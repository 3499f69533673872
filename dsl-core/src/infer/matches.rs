//! Types of `match` and `if let`: each arm is an `if` in the `else` of the one before it.

use proc_macro2::Span;
use weldment_runtime::lang::scalar::UnaryOp;

use super::exhaustive::{Arms, Asked, Values, check};
use super::patterns::Matched;
use super::ty::Ty;
use super::typed::{Expr, ExprKind, Local};
use super::{Infer, Typed, bind};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Pattern};

/// An arm, with its types.
struct Arm {
    test: Option<Expr>,
    bound: Vec<bind::Part>,
    guard: Option<Expr>,
    body: Expr,
}

impl Infer<'_> {
    /// `match of { pattern if guard => body, … }`
    pub(super) fn match_of(&mut self, choice: &ast::Match, span: Span) -> Typed<Expr> {
        let of = self.expr(&choice.of);
        let local = self.local("_", of.ty.clone(), of.span);
        let mut whole = Expr { kind: ExprKind::Local(local), ty: of.ty.clone(), span: of.span };
        let errors = self.errors.len();
        let mut typed = Vec::new();
        let mut asked = Vec::new();
        for arm in &choice.arms {
            if !self.enter_branch(arm.pattern.span()) {
                return Ok(self.hole(span));
            }
            let mark = self.scope.enter();
            let around = std::mem::replace(&mut self.is_matching, true);
            let Matched { values, test, names } = self.matched(&arm.pattern, &whole);
            self.is_matching = around;
            if self.errors.len() > errors {
                // What is reported of one arm is not reported of the others.
                whole.ty = self.unifier.error();
            }
            asked.push(Asked {
                alternatives: alternatives(values, &arm.pattern),
                has_guard: arm.guard.is_some(),
            });
            if let (Some(guard), Some(name)) = (&arm.guard, named_by_some(&arm.pattern)) {
                self.errors.push(two_conditions(guard.span, name));
            }
            let bound = self.bind_names(names);
            let guard = arm.guard.as_ref().map(|guard| self.typed(guard, &Ty::BOOL));
            let body = self.expr(&arm.body);
            self.scope.leave(mark);
            typed.push(Arm { test, bound, guard, body });
        }
        typed.iter().for_each(|_| self.leave_branch());
        let is_right = self.errors.len() == errors;
        let Some(first) = typed.first() else {
            let error = Diagnostic::new(Code::Arms, span, "this `match` has no arms");
            return Err(error.help("write what each value gives: `match x { 0 => a, _ => b }`"));
        };
        self.no_cursor(&first.body)?;
        let note =
            if choice.is_if_let { "both branches of an `if` have" } else { "all arms of a `match` have" };
        for arm in &typed[1..] {
            self.same(&first.body, &arm.body).map_err(|error| error.note(format!("{note} one type")))?;
        }
        if is_right {
            let last = typed.last().and_then(|arm| arm.test.clone());
            let (ty, is_if_let) = (of.ty.clone(), choice.is_if_let);
            self.matches.push(Arms { ty, span, is_if_let, arms: asked, last });
        }
        let chosen = typed.into_iter().rev().fold(None, |others, arm| Some(branch(arm, others, span)));
        Ok(bind::wrap(vec![(local, of)], chosen.expect("an arm at least")))
    }

    /// Tells what is wrong with the arms of every `match`. All types are known, and nothing else is wrong.
    pub(super) fn check_matches(&mut self) {
        for arms in std::mem::take(&mut self.matches) {
            let ty = self.unifier.resolve(&arms.ty);
            self.errors.extend(check(&arms, &ty));
        }
    }
}

/// The value of `arm` where it matches, and of `others` elsewhere. Without others it matches whatever is left.
fn branch(arm: Arm, others: Option<Expr>, span: Span) -> Expr {
    let Arm { test, bound, guard, body } = arm;
    let guard = guard.map(|guard| {
        let is_asked = |part: &bind::Part| reads(&guard, part.0);
        let parts = bound.iter().filter(|part| is_asked(part)).cloned().collect();
        bind::wrap(parts, guard)
    });
    let cond = match (test, guard) {
        (Some(test), Some(guard)) => {
            let span = guard.span;
            Some(Expr { kind: ExprKind::And(Box::new(test), Box::new(guard)), ty: Ty::BOOL, span })
        }
        (test, guard) => test.or(guard),
    };
    let body = bind::wrap(bound, body);
    let (Some(cond), Some(others)) = (cond, others) else { return body };
    let ty = body.ty.clone();
    let (cond, then, els) = match cond.kind {
        ExprKind::Unary(UnaryOp::Not, cond) => (cond, others, body),
        _ => (Box::new(cond), body, others),
    };
    Expr { kind: ExprKind::If { cond, then: Box::new(then), els: Box::new(els) }, ty, span }
}

/// Whether `expr` reads the variable.
fn reads(expr: &Expr, local: Local) -> bool {
    if matches!(expr.kind, ExprKind::Local(read) if read == local) {
        return true;
    }
    let mut found = false;
    expr.for_each_part(&mut |part| found = found || reads(part, local));
    found
}

/// What each alternative of `pattern` matches, of which all match `values`.
fn alternatives(values: Values, pattern: &Pattern) -> Vec<(Values, Span)> {
    match (values, pattern) {
        (Values::Or(values), Pattern::Or(patterns)) => {
            values.into_iter().zip(patterns.iter().map(Pattern::span)).collect()
        }
        (values, pattern) => vec![(values, pattern.span())],
    }
}

/// A name that alternatives inside of `pattern` bind.
fn named_by_some(pattern: &Pattern) -> Option<&ast::Ident> {
    match pattern {
        Pattern::Or(alternatives) => alternatives.iter().find_map(first_name),
        Pattern::Struct(fields, _) | Pattern::Elements(fields, _) => fields.iter().find_map(named_by_some),
        Pattern::Named(named) => named.fields.iter().find_map(|(_, field)| named_by_some(field)),
        Pattern::At(_, pattern) | Pattern::Option(Some(pattern), _) => named_by_some(pattern),
        Pattern::Name(_)
        | Pattern::Ignore(_)
        | Pattern::Value(_)
        | Pattern::Range(_)
        | Pattern::Option(None, _) => None,
    }
}

/// The first name that `pattern` binds.
fn first_name(pattern: &Pattern) -> Option<&ast::Ident> {
    match pattern {
        Pattern::Name(name) | Pattern::At(name, _) => Some(name),
        Pattern::Or(parts) | Pattern::Struct(parts, _) | Pattern::Elements(parts, _) => {
            parts.iter().find_map(first_name)
        }
        Pattern::Named(named) => named.fields.iter().find_map(|(_, field)| first_name(field)),
        Pattern::Option(Some(pattern), _) => first_name(pattern),
        Pattern::Ignore(_) | Pattern::Value(_) | Pattern::Range(_) | Pattern::Option(None, _) => None,
    }
}

/// The error of a condition that would have to be asked for each of the alternatives that bind `name`.
fn two_conditions(span: Span, name: &ast::Ident) -> Diagnostic {
    let message = format!("no condition is asked of alternatives that bind `{}`", name.name);
    Diagnostic::new(Code::BadPattern, span, message)
        .help("write an arm with its condition for each alternative")
}
