//! Patterns: which variables a value is bound to.

use proc_macro2::Span;

use super::fields::Fields;
use super::ty::{Mismatch, Ty};
use super::typed::{Expr, ExprKind, Local};
use super::{Infer, enums, forms, no_fixed, no_texts, no_times};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Ident, Pattern};

/// A variable and the part of a value that it is bound to.
pub(super) type Part = (Local, Expr);

impl Infer<'_> {
    /// Binds a value of type `ty`: gives the variable for the whole value, and one for each part that the
    /// pattern names, to be bound around the body with [`wrap`].
    pub(super) fn bind_pattern(&mut self, pattern: &Pattern, ty: &Ty) -> (Local, Vec<Part>) {
        match pattern {
            Pattern::Name(name) => {
                let local = self.local(&name.name, ty.clone(), name.span);
                self.scope.bind(name, local);
                (local, Vec::new())
            }
            Pattern::Ignore(span) => (self.local("_", ty.clone(), *span), Vec::new()),
            _ => {
                let span = pattern.span();
                let local = self.local("_", ty.clone(), span);
                let whole = Expr { kind: ExprKind::Local(local), ty: ty.clone(), span };
                let matched = self.matched(pattern, &whole);
                (local, self.bind_names(matched.names))
            }
        }
    }

    /// A variable for each of `names`, which is in scope from here on.
    pub(super) fn bind_names(&mut self, names: Vec<(Ident, Expr)>) -> Vec<Part> {
        let bind = |(name, value): (Ident, Expr)| {
            let local = self.local(&name.name, value.ty.clone(), name.span);
            self.scope.bind(&name, local);
            (local, value)
        };
        names.into_iter().map(bind).collect()
    }
}

impl Infer<'_> {
    /// The error of a pattern of `written` fields for a value that is no struct of so many: `whole` is one.
    pub(super) fn no_such_struct(&self, written: usize, whole: &Ty, of: &Expr, why: Mismatch) -> Diagnostic {
        match self.unifier.shallow(&of.ty) {
            Ty::Struct(found) if found.name().is_some() => self.needs_name(&found, of.span),
            Ty::Struct(found) => self.other_length(written, &found, of.span),
            _ => self.mismatch(of, whole, why).help(format!("this pattern takes {written} fields apart")),
        }
    }

    /// The error of a pattern of `written` fields for a struct of more or fewer.
    fn other_length(&self, written: usize, fields: &Fields, span: Span) -> Diagnostic {
        let shown = self.unifier.show(&Ty::Struct(fields.clone()));
        let count = |n: usize| if n == 1 { "1 field".to_string() } else { format!("{n} fields") };
        let message = format!("this pattern has {}, but `{shown}` has {}", count(written), fields.len());
        let error = Diagnostic::new(Code::PatternFields, span, message);
        if written < fields.len() {
            error.help("name every field, with `_` for those that are not needed")
        } else {
            error.help("leave out the names that are too many")
        }
    }

    /// The error of a pattern without a name for a struct that has one.
    fn needs_name(&self, fields: &Fields, span: Span) -> Diagnostic {
        let shown = self.unifier.show(&Ty::Struct(fields.clone()));
        if fields.as_option().is_some() {
            let message = format!("this pattern does not match `{shown}`");
            return Diagnostic::new(Code::Mismatch, span, message).help(forms::TAKE_VALUE);
        }
        if fields.as_enum().is_some() {
            return enums::no_fields(fields, span);
        }
        if fields.is_text() {
            return no_texts::no_fields(span);
        }
        if let Some(scale) = fields.as_fixed() {
            return no_fixed::no_fields(scale, span);
        }
        if let Some(half) = fields.as_half() {
            return self.no_parts(half, span);
        }
        if let Some(temporal) = fields.as_temporal() {
            return no_times::no_fields(temporal, span);
        }
        if let Some((_, len)) = fields.as_fixed_array() {
            let message = format!("a pattern of fields does not match `{shown}`");
            let names = (0..len.min(3)).map(|number| ["a", "b", "c"][number]).collect::<Vec<_>>().join(", ");
            let rest = if len > 3 { ", …" } else { "" };
            let advice = format!("its elements are taken apart by `[{names}{rest}]`");
            return Diagnostic::new(Code::Mismatch, span, message).help(advice);
        }
        let members = fields.name().map_or(String::new(), |named| named.members.join(", "));
        let error = Diagnostic::new(
            Code::Mismatch,
            span,
            format!("a pattern without a name does not match `{shown}`"),
        );
        error.help(format!("write `{shown} {{ {members} }}`, or read the fields by name"))
    }
}

/// `body` with `parts` bound around it, the first outermost.
pub(super) fn wrap(parts: Vec<Part>, body: Expr) -> Expr {
    if parts.is_empty() {
        return body;
    }
    let (ty, span) = (body.ty.clone(), body.span);
    Expr { kind: ExprKind::Let(parts, Box::new(body)), ty, span }
}
