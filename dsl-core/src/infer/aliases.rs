//! Aliases where values are made: `T(x)` is a cast, a builder or a struct, `T` alone a builder, `T::MAX` a constant.

use std::rc::Rc;

use proc_macro2::Span;

use super::ty::Ty;
use super::typed::{Expr, ExprKind};
use super::{Infer, Typed, forms, no_times};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::syntax::ast::{self, Start};
use crate::syntax::constant;

impl<'a> Infer<'a> {
    /// Looks at `aliases`, whose mistakes are told even if nobody uses them.
    pub(super) fn check_aliases(&mut self, aliases: &'a [ast::Alias]) {
        for alias in aliases {
            self.within_type(&alias.name, |this| this.ty(&alias.ty));
        }
        // What is asked of a type is asked again where it is used.
        self.checks.clear();
    }

    /// The alias that `name` is.
    pub(super) fn alias(&self, name: &ast::Ident) -> Option<&'a ast::Alias> {
        self.aliases
            .get(name.name.as_str())
            .copied()
            .filter(|_| self.is_users(name) && !self.scope.is_in_welded())
    }

    /// `T`, where a value is expected: a new builder.
    pub(super) fn alias_alone(&mut self, name: &ast::Ident, alias: &'a ast::Alias) -> Typed<Expr> {
        let ty = self.named_type(name, &[]);
        if self.unifier.is_error(&ty) {
            return Ok(self.hole(name.span));
        }
        let builder = match &self.aliased(alias).kind {
            ast::TypeKind::Builder(of) if of.kind.row().start == Start::Vector => {
                return Err(forms::wrong_number(name, 0, &["vector"], false));
            }
            ast::TypeKind::Builder(of) => Some(ast::Builder { ty: (**of).clone(), init: None }),
            _ => None,
        };
        match builder {
            Some(builder) => Ok(self.builder(&builder, name.span)),
            None => Err(self.no_value(name, &ty)),
        }
    }

    /// `T(args)`
    pub(super) fn alias_call(
        &mut self,
        name: &ast::Ident,
        alias: &'a ast::Alias,
        args: &[ast::Expr],
    ) -> Typed<Expr> {
        let ty = self.named_type(name, &[]);
        if self.unifier.is_error(&ty) {
            self.arguments(args);
            return Ok(self.hole(name.span));
        }
        let aliased = self.aliased(alias);
        let takes = match &aliased.kind {
            ast::TypeKind::Scalar(_) => "x",
            ast::TypeKind::Fixed(scale) => return self.fixed_literal(*scale, name, args),
            ast::TypeKind::Builder(of) => match of.kind.row().start.name() {
                Some(start) => start,
                None => {
                    self.arguments(args);
                    let message = format!("`{}` takes no initial value", name.name);
                    return Err(Diagnostic::new(Code::NoInitialValue, name.span, message)
                        .help("merge the initial entries into it"));
                }
            },
            // The parser reads no other type as the name of a struct.
            ast::TypeKind::Name(_) => return Ok(self.tuple_struct(name, args)),
            _ => {
                self.arguments(args);
                return Err(self.no_function(name, &ty));
            }
        };
        let [arg] = args else {
            self.arguments(args);
            return Err(forms::wrong_number(name, args.len(), &[takes], false));
        };
        if let ast::TypeKind::Builder(of) = &aliased.kind {
            let init = Some(Box::new(arg.clone()));
            return Ok(self.builder(&ast::Builder { ty: (**of).clone(), init }, name.span));
        }
        let to = ast::Type { kind: aliased.kind.clone(), span: name.span };
        self.cast_to(arg, &to, name.span)
    }

    /// `T::path`
    pub(super) fn constant_of(&mut self, name: &ast::Ident, path: &str, span: Span) -> Typed<Expr> {
        if let Some((item, name)) = self.item_at(name, path) {
            return self.item_value(item, &name);
        }
        if let Some(variant) = self.variant_at(name, path, span) {
            return variant;
        }
        if self.alias(name).is_none() && self.scope.type_param(&name.name).is_none() {
            let near = nearest(&format!("{}::{path}", name.name), self.items.keys().copied());
            return Err(constant::unknown(&name.name, path, near, span));
        }
        let ty = self.named_type(name, &[]);
        match self.unifier.shallow(&ty) {
            Ty::Scalar(scalar) => {
                let constant = constant::of_scalar(scalar, path, false, span)?;
                Ok(Expr { kind: ExprKind::Const(constant), ty, span })
            }
            other if self.unifier.is_error(&other) => Ok(self.hole(span)),
            other => {
                let shown = self.unifier.show(&other);
                let message = format!("`{}` is `{shown}`, which has no constants", name.name);
                Err(Diagnostic::new(Code::UnknownPath, span, message)
                    .help("constants are those of scalars, such as `f64::MAX`"))
            }
        }
    }

    /// What `alias`, which is known not to contain itself, stands for: no alias.
    fn aliased(&self, alias: &'a ast::Alias) -> &'a ast::Type {
        match &alias.ty.kind {
            ast::TypeKind::Name(named) => match self.aliases.get(named.name.name.as_str()) {
                Some(next) => self.aliased(next),
                None => &alias.ty,
            },
            _ => &alias.ty,
        }
    }

    /// The error of `T(x)` where nothing is made so.
    fn no_function(&self, name: &ast::Ident, ty: &Ty) -> Diagnostic {
        let shown = self.unifier.show(ty);
        let message = format!("`{}` is the type `{shown}`, not a function", name.name);
        let error = Diagnostic::new(Code::UnknownFunction, name.span, message);
        match ty {
            Ty::Vec(_) => error.help("a vector is written `[a, b]`"),
            Ty::Dict(..) => error.help("dictionaries are made by `to_dict`, `dictmerger` and `groupmerger`"),
            _ => error.help("a struct is written `{a, b}` or `(a, b)`"),
        }
    }

    /// `Fixed::<2>("1.5")`, `Date(1994, 1, 31)`, `f16(x)`: a value of a type that the language has; `None` if `name` is no such type.
    pub(super) fn language_made(&mut self, name: &ast::Ident, args: &Rc<[ast::Expr]>) -> Typed<Option<Expr>> {
        if let Some(made) = self.fixed_made(name, args)? {
            return Ok(Some(made));
        }
        match self.time_made(name, args)? {
            Some(made) => Ok(Some(made)),
            None => self.half_made(name, args),
        }
    }

    /// The error of `T` where a value is expected.
    fn no_value(&self, name: &ast::Ident, ty: &Ty) -> Diagnostic {
        let name_text = &name.name;
        let message = format!("`{name_text}` is a type, not a value");
        let error = Diagnostic::new(Code::KeywordAsValue, name.span, message);
        match ty {
            Ty::Scalar(_) => error.help(format!("a cast is written `{name_text}(x)` or `x as {name_text}`")),
            _ => error.help(format!("`x: {name_text}` says that `x` has it")),
        }
    }

    /// The error of `T { … }` where `T` is no struct with a name.
    pub(super) fn no_struct(&self, name: &ast::Ident, ty: &Ty) -> Diagnostic {
        let shown = self.unifier.show(ty);
        let message = format!("`{}` is `{shown}`, not a struct with a name", name.name);
        let error = Diagnostic::new(Code::UnknownType, name.span, message);
        match ty {
            ty if let Some(temporal) = ty.as_temporal() => {
                error.help(format!("dates and times are compared: `if x == {}(…) {{ … }}`", temporal.name()))
            }
            Ty::Struct(_) => error.help("write `{a, b}` or `(a, b)`"),
            _ => error.help("define one before the program: `struct Name { a: f64, b: i32 }`"),
        }
    }

    /// The error of a cast to what is no scalar.
    pub(super) fn no_cast(&self, ty: &Ty, span: Span) -> Diagnostic {
        let message = format!("expected a scalar type after `as`, found `{}`", self.unifier.show(ty));
        let error = Diagnostic::new(Code::BadCast, span, message);
        match ty {
            Ty::Struct(fields) if fields.as_enum().is_some() => {
                error.help("say which variant each number is: `match x { 0 => …, _ => … }`")
            }
            ty if ty.is_text() => {
                error.help("a literal is a text by `\"x\".to_string()`, and bytes are by `from_utf8(b)`")
            }
            Ty::Struct(fields) if let Some(scale) = fields.as_fixed() => {
                let digits = scale.digits();
                error.help(format!("one is made of a number by `Fixed::<{digits}>::from(x)`"))
            }
            Ty::Struct(fields) if let Some(temporal) = fields.as_temporal() => {
                error.help(format!("one is made of a number by {}", no_times::made(temporal)))
            }
            _ => error.help("`x: type` says what type `x` has"),
        }
    }
}
