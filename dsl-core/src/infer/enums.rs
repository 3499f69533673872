//! Enums: a variant is a value, and its number what it casts to.
//!
//! To all behind inference an enum is the struct of its number. Its type keeps a name for what gives values to a program and takes them from it.

use proc_macro2::Span;
use weldment_runtime::lang::types::Variants;

use super::fields::Fields;
use super::ty::Ty;
use super::typed::{Expr, ExprKind};
use super::{Infer, Typed, patterns};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::syntax::ast;

impl Infer<'_> {
    /// The variant at the path `first::rest`, if that is a path into an enum.
    pub(super) fn variant_at(&mut self, first: &ast::Ident, rest: &str, span: Span) -> Option<Typed<Expr>> {
        let path = format!("{}::{rest}", first.name);
        let (of, variant) = path.rsplit_once("::")?;
        let of = ast::Ident { name: of.to_owned(), ..first.clone() };
        let is_known = self.find_struct(&of).is_some() || self.alias(&of).is_some();
        if !is_known {
            return None;
        }
        let ty = self.named_type(&of, &[]);
        let Ty::Struct(fields) = self.unifier.shallow(&ty) else { return None };
        let variants = fields.as_enum()?.clone();
        let Some((_, number)) = variants.iter().find(|(name, _)| name == variant) else {
            return Some(Err(no_variant(&fields, &variants, variant, span)));
        };
        let number = Expr { kind: ExprKind::Integer(*number), ty: fields[0].clone(), span };
        Some(Ok(Expr { kind: ExprKind::Struct(vec![number]), ty, span }))
    }

    /// The number of `of` if it is an enum, else `of` itself.
    pub(super) fn enum_number(&self, of: Expr) -> Expr {
        match self.unifier.seen(&of.ty) {
            Ty::Struct(fields) if fields.as_enum().is_some() => {
                patterns::field(&of, 0, fields[0].clone(), of.span)
            }
            _ => of,
        }
    }
}

/// Whether there is an enum in values of type `ty`.
pub(super) fn has_enum(ty: &Ty) -> bool {
    matches!(ty, Ty::Struct(fields) if fields.as_enum().is_some()) || ty.parts().any(has_enum)
}

/// The error of an enum that is made or taken apart as a struct.
pub(super) fn no_fields(fields: &Fields, span: Span) -> Diagnostic {
    let (shown, first) = shown(fields);
    Diagnostic::new(Code::NoField, span, format!("`{shown}` is an enum, which has no fields"))
        .help(format!("a value of it is a variant, `{shown}::{first}`, and its number `x as i64`"))
}

/// What to do in place of reducing enums.
pub(super) const INSTEAD: &str = "take its number, `x as i64`, or count: `v.filter(|x| …).count()`";

/// The error of the name of an enum where a value stands.
pub(super) fn no_value(of: &ast::Struct, span: Span) -> Diagnostic {
    let message = format!("`{}` is a type, not a value", of.shown);
    let first = of.variants.first().map_or("", |(name, _)| &name.name);
    Diagnostic::new(Code::UnknownName, span, message)
        .help(format!("a value of it is a variant, `{}::{first}`", of.shown))
}

fn no_variant(fields: &Fields, variants: &Variants, name: &str, span: Span) -> Diagnostic {
    let (shown, _) = shown(fields);
    let error = Diagnostic::new(Code::UnknownPath, span, format!("`{shown}` has no variant `{name}`"));
    match nearest(name, variants.iter().map(|(known, _)| known.as_str())) {
        Some(near) => error.help(format!("did you mean `{shown}::{near}`?")),
        None => {
            let all: Vec<String> = variants.iter().map(|(known, _)| format!("`{known}`")).collect();
            error.help(format!("its variants are {}", all.join(", ")))
        }
    }
}

/// The name of an enum, and that of its first variant.
fn shown(fields: &Fields) -> (&str, &str) {
    let named = fields.name().expect("an enum has a name");
    let first = fields.as_enum().and_then(|variants| variants.first());
    (&named.shown, first.map_or("", |(name, _)| name))
}
