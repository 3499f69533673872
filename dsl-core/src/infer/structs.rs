//! Structs with names: their types, their values, and their fields.

use std::collections::HashSet;

use proc_macro2::Span;

use super::bind::Part;
use super::check::Outcome;
use super::fields::{Fields, Named};
use super::scope::nearest;
use super::ty::Ty;
use super::typed::{Expr, ExprKind, Local};
use super::{Infer, Typed};
use crate::diagnostic::{Diagnostic, Kind};
use crate::syntax::ast;

impl<'a> Infer<'a> {
    /// Makes `structs` known by all their names.
    pub(super) fn declare_structs(&mut self, structs: &'a [ast::Struct]) -> Typed<()> {
        for definition in structs {
            let mut fields = HashSet::new();
            for (field, _) in &definition.fields {
                if !fields.insert(&field.name) {
                    return Err(twice(field, "in its struct"));
                }
            }
            let others =
                definition.paths.iter().map(String::as_str).filter(|path| *path != definition.name.name);
            for name in std::iter::once(definition.name.name.as_str()).chain(others) {
                if self.structs.insert(name, definition).is_some() {
                    let message = format!("the type `{name}` is defined twice");
                    let error = Diagnostic::new(Kind::Name, definition.name.span, message);
                    return Err(error.help("give one of them another name"));
                }
            }
        }
        // A field of a type that does not exist is a mistake even if nobody uses the struct.
        for definition in structs {
            let args = definition.params.iter().map(|_| self.unifier.fresh()).collect();
            self.struct_type(definition, args, definition.name.span)?;
        }
        Ok(())
    }

    /// `definition`, applied to `args`: as many as it has parameters.
    pub(super) fn struct_type(
        &mut self,
        definition: &'a ast::Struct,
        args: Vec<Ty>,
        span: Span,
    ) -> Typed<Ty> {
        if args.len() != definition.params.len() {
            let count = |n: usize| if n == 1 { "1 type".to_string() } else { format!("{n} types") };
            let (wanted, found) = (count(definition.params.len()), args.len());
            let message = format!("`{}` takes {wanted} between `<` and `>`, found {found}", definition.shown);
            return Err(Diagnostic::new(Kind::Type, span, message));
        }
        let params = definition.params.iter().map(|param| param.name.as_str()).zip(args.iter().cloned());
        let around = std::mem::replace(&mut self.type_params, params.collect());
        let name = ast::Ident { span, ..definition.name.clone() };
        let types = self.within_type(&name, |this| {
            definition.fields.iter().map(|(_, ty)| this.ty(ty)).collect::<Typed<Vec<_>>>()
        });
        self.type_params = around;
        let named = Named {
            name: definition.name.name.clone(),
            shown: definition.shown.clone(),
            args,
            members: definition.fields.iter().map(|(field, _)| field.name.clone()).collect(),
            is_rust: definition.is_rust,
        };
        Ok(Ty::Struct(Fields::named(types?, named)))
    }

    /// The struct that `name` names.
    pub(super) fn find_struct(&self, name: &ast::Ident) -> Option<&'a ast::Struct> {
        self.structs.get(name.name.as_str()).copied()
    }

    /// The struct `name`, with parameters that are not known yet.
    fn made(&mut self, name: &ast::Ident) -> Typed<(&'a ast::Struct, Ty, Fields)> {
        let Some(definition) = self.find_struct(name) else { return Err(self.unknown_type(name)) };
        let args = definition.params.iter().map(|_| self.unifier.fresh()).collect();
        match self.struct_type(definition, args, name.span)? {
            Ty::Struct(fields) => Ok((definition, Ty::Struct(fields.clone()), fields)),
            other => unreachable!("a struct is of type {other:?}"),
        }
    }

    /// `Point { x: a, y, ..rest }`
    pub(super) fn struct_literal(
        &mut self,
        name: &ast::Ident,
        written: &[(ast::Ident, ast::Expr)],
        rest: Option<&ast::Expr>,
    ) -> Typed<Expr> {
        let (definition, ty, fields) = self.made(name)?;
        let mut values: Vec<Option<Expr>> = fields.iter().map(|_| None).collect();
        for (field, value) in written {
            let number = self.field_number(&fields, field)?;
            if values[number].is_some() {
                return Err(twice(field, "here"));
            }
            values[number] = Some(self.typed(value, &fields[number])?);
        }
        let rest = rest.map(|rest| self.typed(rest, &ty)).transpose()?;
        let missing = definition.fields.iter().zip(&values).filter(|(_, value)| value.is_none());
        let missing: Vec<String> = missing.map(|((field, _), _)| format!("`{}`", field.name)).collect();
        if rest.is_none() && !missing.is_empty() {
            let what = if missing.len() == 1 { "the field" } else { "the fields" };
            let message = format!("{what} {} of `{}` have no value", missing.join(", "), definition.shown);
            let message = if missing.len() == 1 { message.replace(" have no", " has no") } else { message };
            return Err(Diagnostic::new(Kind::Type, name.span, message)
                .help("give each field a value, or take the others from another value: `..other`"));
        }
        let span = name.span;
        let Some(rest) = rest else {
            let values = values.into_iter().map(|value| value.expect("none is missing")).collect();
            return Ok(Expr { kind: ExprKind::Struct(values), ty, span });
        };
        let local = self.local("_", ty.clone(), rest.span);
        let whole = Expr { kind: ExprKind::Local(local), ty: ty.clone(), span: rest.span };
        let of_rest = |(number, value): (usize, Option<Expr>)| {
            value.unwrap_or_else(|| Expr {
                kind: ExprKind::Field(Box::new(whole.clone()), number as u32),
                ty: fields[number].clone(),
                span: rest.span,
            })
        };
        let values = values.into_iter().enumerate().map(of_rest).collect();
        let made = Expr { kind: ExprKind::Struct(values), ty, span };
        Ok(super::bind::wrap(vec![(local, rest)], made))
    }

    /// `Pair(a, b)`
    pub(super) fn tuple_struct(&mut self, name: &ast::Ident, args: &[ast::Expr]) -> Typed<Expr> {
        let (definition, ty, fields) = self.made(name)?;
        if let Some((field, _)) = definition.fields.iter().find(|(field, _)| !is_number(&field.name)) {
            let message = format!("the fields of `{}` have names", definition.shown);
            return Err(Diagnostic::new(Kind::Type, name.span, message)
                .help(format!("write `{} {{ {}: …, … }}`", name.name, field.name)));
        }
        if args.len() != fields.len() {
            let count =
                if fields.len() == 1 { "1 field".to_string() } else { format!("{} fields", fields.len()) };
            let message = format!("`{}` has {count}, found {}", definition.shown, args.len());
            let error = Diagnostic::new(Kind::Type, name.span, message);
            return Err(match &ty {
                Ty::Struct(fields) => error.help(fields.name().map_or_else(String::new, form)),
                _ => error,
            });
        }
        let values = args.iter().zip(fields.iter()).map(|(arg, ty)| self.typed(arg, ty));
        let kind = ExprKind::Struct(values.collect::<Typed<_>>()?);
        Ok(Expr { kind, ty, span: name.span })
    }

    /// Binds the fields that `Point { x, y: b, .. }` names. As [`Infer::bind_pattern`].
    pub(super) fn bind_named(&mut self, pattern: &ast::NamedPattern, ty: &Ty) -> Typed<(Local, Vec<Part>)> {
        let ast::NamedPattern { name, fields: written, is_partial } = pattern;
        let (definition, whole, fields) = self.made(name)?;
        let local = self.local("_", ty.clone(), name.span);
        let expr = Expr { kind: ExprKind::Local(local), ty: ty.clone(), span: name.span };
        self.unifier.unify(&whole, ty).map_err(|why| self.mismatch(&expr, &whole, why))?;
        let mut named = HashSet::new();
        let mut parts = Vec::new();
        for (field, pattern) in written {
            let number = self.field_number(&fields, field)?;
            if !named.insert(number) {
                return Err(twice(field, "here"));
            }
            if let ast::Pattern::Ignore(_) = pattern {
                continue;
            }
            let kind = ExprKind::Field(Box::new(expr.clone()), number as u32);
            let value = Expr { kind, ty: fields[number].clone(), span: field.span };
            let (local, inner) = self.bind_pattern(pattern, &fields[number])?;
            parts.push((local, value));
            parts.extend(inner);
        }
        if let Some(missing) = (0..fields.len()).find(|number| !named.contains(number) && !*is_partial) {
            let message =
                format!("this pattern does not name the field `{}`", definition.fields[missing].0.name);
            return Err(
                Diagnostic::new(Kind::Type, name.span, message).help("end it with `..` to leave fields out")
            );
        }
        Ok((local, parts))
    }

    /// The number of the field of `fields`, which have a name, that is called `field`.
    fn field_number(&self, fields: &Fields, field: &ast::Ident) -> Typed<usize> {
        fields.member(&field.name).ok_or_else(|| self.no_member(fields, &field.name, field.span))
    }

    /// Decides whether `of` has a field `name`, whose type then is `field`.
    pub(super) fn member(&mut self, of: &Ty, name: &str, field: &Ty, span: Span) -> Typed<Outcome> {
        let fields = match self.unifier.shallow(of) {
            Ty::Var(_) => return Ok(Outcome::Wait),
            Ty::Struct(fields) if fields.name().is_some() => fields,
            _ => {
                let message = format!("there is no field `{name}`: fields have numbers");
                let error = Diagnostic::new(Kind::Type, span, message);
                return Err(
                    error.help(format!("write `.0` for the first field, or `.{name}()` for a method"))
                );
            }
        };
        let Some(number) = fields.member(name) else { return Err(self.no_member(&fields, name, span)) };
        match self.unifier.unify(field, &fields[number]) {
            Ok(()) => Ok(Outcome::Done),
            Err(_) => {
                let (want, found) = (self.unifier.show(field), self.unifier.show(&fields[number]));
                Err(Diagnostic::new(Kind::Type, span, format!("expected `{want}`, found `{found}`")))
            }
        }
    }

    fn no_member(&self, fields: &Fields, name: &str, span: Span) -> Diagnostic {
        let shown = self.unifier.show(&Ty::Struct(fields.clone()));
        let error = Diagnostic::new(Kind::Name, span, format!("there is no field `{name}` in `{shown}`"));
        let members: Vec<&str> = fields.name().map_or(Vec::new(), |named| members(named).collect());
        match nearest(name, members.iter().copied()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None if members.is_empty() => error.help("it has no fields"),
            None => {
                let all: Vec<String> = members.iter().map(|member| format!("`{member}`")).collect();
                error.help(format!("its fields are {}", all.join(", ")))
            }
        }
    }
}

fn members(named: &Named) -> impl Iterator<Item = &str> {
    named.members.iter().map(String::as_str)
}

/// The advice on how to write a value of a struct.
pub(super) fn form(named: &Named) -> String {
    let shown = &named.shown;
    if members(named).all(is_number) {
        return format!("write `{shown}({})`", vec!["…"; named.members.len()].join(", "));
    }
    let fields: Vec<String> = members(named).map(|member| format!("{member}: …")).collect();
    format!("write `{shown} {{ {} }}`", fields.join(", "))
}

fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}

/// The error of a field that is named twice.
fn twice(field: &ast::Ident, place: &str) -> Diagnostic {
    let message = format!("the field `{}` is named twice {place}", field.name);
    Diagnostic::new(Kind::Name, field.span, message).help("leave one of them out")
}
