//! Structs with names: their types, their values, and their fields.

use std::collections::HashSet;

use proc_macro2::Span;

use super::check::Outcome;
use super::fields::{Fields, Named};
use super::patterns::Matched;
use super::ty::Ty;
use super::typed::{Expr, ExprKind};
use super::{Infer, Typed, bind, enums, no_fixed, no_texts, no_times, patterns};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::syntax::ast;

impl<'a> Infer<'a> {
    /// Makes `structs` known by all their names.
    pub(super) fn declare_structs(&mut self, structs: &'a [ast::Struct]) {
        for definition in structs {
            let mut fields = HashSet::new();
            for (field, _) in &definition.fields {
                if !fields.insert(&field.name) {
                    self.errors.push(twice(field, "in its struct"));
                }
            }
            let others =
                definition.paths.iter().map(String::as_str).filter(|path| *path != definition.name.name);
            for name in std::iter::once(definition.name.name.as_str()).chain(others) {
                if self.structs.insert(name, definition).is_some() {
                    let name = ast::Ident { name: name.to_owned(), ..definition.name.clone() };
                    self.errors.push(defined_twice("type", &name));
                }
            }
        }
    }

    /// Looks at the fields of `structs`, whose mistakes are told even if nobody uses the struct.
    pub(super) fn check_structs(&mut self, structs: &'a [ast::Struct]) {
        for definition in structs {
            let args = definition.params.iter().map(|_| self.unifier.fresh()).collect();
            self.struct_type(definition, args, definition.name.span);
        }
        // What is asked of the arguments is asked again where they are known.
        self.checks.clear();
    }

    /// `definition`, applied to `args`: as many as it has parameters.
    pub(super) fn struct_type(&mut self, definition: &'a ast::Struct, args: Vec<Ty>, span: Span) -> Ty {
        if args.len() != definition.params.len() {
            self.errors.push(other_arguments(&definition.shown, &definition.params, args.len(), span));
            return self.unifier.error();
        }
        let params = definition.params.iter().map(|param| param.name.as_str()).zip(args.iter().cloned());
        let around = std::mem::replace(&mut self.type_params, params.collect());
        let name = ast::Ident { span, ..definition.name.clone() };
        let types = self.within_type(&name, |this| {
            let field = |(_, ty): &(_, ast::Type)| {
                let (span, ty) = (ty.span, this.outside_ty(ty));
                let ty = this.no_column(ty, span);
                if definition.origin == ast::Origin::Lent { ty } else { this.owned("a struct", ty, span) }
            };
            definition.fields.iter().map(field).collect::<Vec<_>>()
        });
        self.type_params = around;
        let Some(types) = types else { return self.unifier.error() };
        let variants = definition.variants.iter().map(|(variant, number)| (variant.name.clone(), *number));
        let is_enum = !definition.variants.is_empty();
        let named = Named {
            name: definition.name.name.clone(),
            shown: definition.shown.clone(),
            args,
            members: definition
                .fields
                .iter()
                .filter(|_| !is_enum)
                .map(|(field, _)| field.name.clone())
                .collect(),
            variants: is_enum.then(|| variants.collect()),
            origin: definition.origin,
        };
        let ty = Ty::Struct(Fields::named(types, named));
        if self.allows(&ty, span) { ty } else { self.unifier.error() }
    }

    /// The struct that `name` names.
    pub(super) fn find_struct(&self, name: &ast::Ident) -> Option<&'a ast::Struct> {
        self.structs.get(name.name.as_str()).copied()
    }

    /// The struct `name`, with parameters that are not known yet, or what an alias of this name says of them; `None` if
    /// there is no such struct or it is too large, which is told.
    fn made(&mut self, name: &ast::Ident) -> Option<(&'a ast::Struct, Ty, Fields)> {
        let ty = match self.find_struct(name) {
            Some(definition) => {
                let args = definition.params.iter().map(|_| self.unifier.fresh()).collect();
                self.struct_type(definition, args, name.span)
            }
            // An alias of a struct is as good.
            None => self.named_type(name, &[]),
        };
        let ty = self.unifier.shallow(&ty);
        let named = if let Ty::Struct(fields) = &ty { fields.name() } else { None };
        let definition = named.and_then(|named| self.structs.get(named.name.as_str()).copied());
        match (&ty, definition) {
            (Ty::Struct(fields), Some(_)) if fields.as_enum().is_some() => {
                self.errors.push(enums::no_fields(fields, name.span));
                None
            }
            (Ty::Struct(fields), Some(definition)) => Some((definition, ty.clone(), fields.clone())),
            _ => {
                if !self.unifier.is_error(&ty) {
                    self.errors.push(self.no_struct(name, &ty));
                }
                None
            }
        }
    }

    /// `Point { x: a, y, ..rest }`
    pub(super) fn struct_literal(
        &mut self,
        name: &ast::Ident,
        written: &[(ast::Ident, ast::Expr)],
        rest: Option<&ast::Expr>,
    ) -> Expr {
        let Some((definition, ty, fields)) = self.made(name) else {
            for value in written.iter().map(|(_, value)| value).chain(rest) {
                self.expr(value);
            }
            return self.hole(name.span);
        };
        let mut values: Vec<Option<Expr>> = fields.iter().map(|_| None).collect();
        let mut is_right = true;
        for (field, value) in written {
            let number = self.field_number(&fields, field);
            let Some(number) = self.report(number) else {
                self.expr(value);
                is_right = false;
                continue;
            };
            let value = self.typed_outside(value, &fields[number]);
            if values[number].replace(value).is_some() {
                self.errors.push(twice(field, "here"));
            }
        }
        let rest = rest.map(|rest| self.typed(rest, &ty));
        let missing = definition.fields.iter().zip(&values).filter(|(_, value)| value.is_none());
        let missing: Vec<&str> = missing.map(|((field, _), _)| field.name.as_str()).collect();
        let span = name.span;
        // Which field a wrong name was to be is not known, so nothing is said of those without value.
        if rest.is_none() && !missing.is_empty() && is_right {
            self.errors.push(missing_fields(&definition.shown, &missing, span));
        }
        let Some(rest) = rest else {
            let values = values.into_iter().map(|value| value.unwrap_or_else(|| self.hole(span))).collect();
            return Expr { kind: ExprKind::Struct(values), ty, span };
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
        bind::wrap(vec![(local, rest)], made)
    }

    /// `Pair(a, b)`
    pub(super) fn tuple_struct(&mut self, name: &ast::Ident, args: &[ast::Expr]) -> Expr {
        let Some((definition, ty, fields)) = self.made(name) else {
            self.arguments(args);
            return self.hole(name.span);
        };
        let form = fields.name().map_or_else(String::new, form);
        let named = definition.fields.iter().any(|(field, _)| !is_number(&field.name));
        let error = if named {
            let message = format!("the fields of `{}` have names", definition.shown);
            Some(Diagnostic::new(Code::NamedFields, name.span, message))
        } else if args.len() != fields.len() {
            let count = counted(fields.len(), "field");
            let message = format!("`{}` has {count}, found {}", definition.shown, args.len());
            Some(Diagnostic::new(Code::ArgumentCount, name.span, message))
        } else {
            None
        };
        if let Some(error) = error {
            self.arguments(args);
            self.errors.push(error.help(form));
            return Expr { ty, ..self.hole(name.span) };
        }
        let values = args.iter().zip(fields.iter()).map(|(arg, ty)| self.typed_outside(arg, ty)).collect();
        Expr { kind: ExprKind::Struct(values), ty, span: name.span }
    }

    /// What `Point { x, y: b, .. }` matches of `of`. As [`Infer::matched`].
    pub(super) fn matched_fields(&mut self, pattern: &ast::NamedPattern, of: &Expr) -> Matched {
        let ast::NamedPattern { name, fields: written, is_partial } = pattern;
        let of = Expr { span: name.span, ..of.clone() };
        let made = self.made(name);
        if let Some((_, whole, _)) = &made
            && let Err(why) = self.unifier.unify(whole, &of.ty)
        {
            self.errors.push(self.mismatch(&of, whole, why));
            self.unifier.poison(whole);
        }
        let mut named = HashSet::new();
        let mut is_right = true;
        let mut matched = Matched::fields(made.as_ref().map_or(0, |(_, _, fields)| fields.len()));
        for (field, pattern) in written {
            let number = made.as_ref().and_then(|(_, _, fields)| {
                let number = self.field_number(fields, field);
                self.report(number).map(|number| (number, fields[number].clone()))
            });
            is_right &= number.is_some();
            // What a field that there is not is bound to agrees with everything.
            let (number, ty) = number.unwrap_or_else(|| (0, self.unifier.error()));
            if is_right && !named.insert(number) {
                self.errors.push(twice(field, "here"));
            }
            let part = self.taken_in(patterns::field(&of, number, ty, field.span));
            let part = self.matched(pattern, &part);
            matched.add_field(number, part);
        }
        if let Some((definition, _, _)) = made
            && let Some(missing) = (0..definition.fields.len()).find(|number| !named.contains(number))
            && is_right
            && !*is_partial
        {
            let message =
                format!("this pattern does not name the field `{}`", definition.fields[missing].0.name);
            let error = Diagnostic::new(Code::PatternFields, name.span, message);
            self.errors.push(error.help("end it with `..` to leave fields out"));
        }
        matched
    }

    /// The number of the field of `fields`, which have a name, that is called `field`.
    fn field_number(&self, fields: &Fields, field: &ast::Ident) -> Typed<usize> {
        fields.member(&field.name).ok_or_else(|| self.no_member(fields, &field.name, field.span))
    }

    /// Decides whether `of` has a field `name`, whose type then is `field`.
    pub(super) fn member(&mut self, of: &Ty, name: &str, field: &Ty, span: Span) -> Typed<Outcome> {
        let fields = match self.unifier.seen(of) {
            Ty::Var(_) => return Ok(Outcome::Wait),
            Ty::Struct(fields) if fields.name().is_some() => fields,
            Ty::Struct(_) => {
                let message = format!("there is no field `{name}`: fields have numbers");
                let error = Diagnostic::new(Code::NoField, span, message);
                return Err(
                    error.help(format!("write `.0` for the first field, or `.{name}()` for a method"))
                );
            }
            other => {
                let found = self.unifier.show(&other);
                let message = format!("only structs have fields, found `{found}`");
                let error = Diagnostic::new(Code::NoField, span, message);
                return Err(match other {
                    Ty::Vec(element) if matches!(self.unifier.shallow(&element), Ty::Struct(_)) => {
                        error.help(format!("for the field of each element, write `v.map(|x| x.{name})`"))
                    }
                    _ => error.help(format!("write `.{name}()` for a method")),
                });
            }
        };
        let Some(number) = fields.member(name) else { return Err(self.no_member(&fields, name, span)) };
        match self.unifier.unify(field, &fields[number]) {
            Ok(()) => Ok(Outcome::Done),
            Err(_) => Err(self.differ(span, field, &fields[number], "…")),
        }
    }

    /// The error of a field that `fields`, which have a name, do not hold.
    pub(super) fn no_member(&self, fields: &Fields, name: &str, span: Span) -> Diagnostic {
        let shown = self.unifier.show(&Ty::Struct(fields.clone()));
        let error = Diagnostic::new(Code::NoField, span, format!("there is no field `{name}` in `{shown}`"));
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
        if fields.as_fixed_array().is_some() {
            return error.help("an element of it is `x[0]`");
        }
        if fields.as_option().is_some() {
            return error.help(format!("it is one of the value: `o.map(|x| x.{name})`"));
        }
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

/// `1 field`, `2 fields`
fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// The error of an item whose name another one has.
pub(super) fn defined_twice(what: &str, name: &ast::Ident) -> Diagnostic {
    let message = format!("the {what} `{}` is defined twice", name.name);
    Diagnostic::new(Code::DefinedTwice, name.span, message).help("give one of them another name")
}

/// The error of a type with more or fewer types between `<` and `>` than it has parameters.
pub(super) fn other_arguments(shown: &str, params: &[ast::Ident], found: usize, span: Span) -> Diagnostic {
    let names: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
    let (wanted, form) = match names.len() {
        0 => ("no types".to_owned(), shown.to_owned()),
        n => (counted(n, "type"), format!("{shown}<{}>", names.join(", "))),
    };
    let message = format!("`{shown}` takes {wanted} between `<` and `>`, found {found}");
    Diagnostic::new(Code::TypeArguments, span, message).help(format!("the form is `{form}`"))
}

/// The error of a value of the struct `shown` without these fields.
fn missing_fields(shown: &str, missing: &[&str], span: Span) -> Diagnostic {
    let fields: Vec<String> = missing.iter().map(|field| format!("`{field}`")).collect();
    let (what, have) = if missing.len() == 1 { ("field", "has") } else { ("fields", "have") };
    let message = format!("the {what} {} of `{shown}` {have} no value", fields.join(", "));
    Diagnostic::new(Code::MissingFields, span, message)
        .help("give each field a value, or take the others from another value: `..other`")
}

/// The error of a field that is named twice.
fn twice(field: &ast::Ident, place: &str) -> Diagnostic {
    let message = format!("the field `{}` is named twice {place}", field.name);
    Diagnostic::new(Code::FieldTwice, field.span, message).help("leave one of them out")
}
