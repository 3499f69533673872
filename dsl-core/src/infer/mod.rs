//! Types: from the surface tree to the typed tree.
//!
//! Inference is unification from the parameters inwards and backwards through `let`. What a type variable must
//! satisfy besides (be a number, have a field) is kept as a `check::Check` until the variable is known.
//! Sugar is expanded here, where it is known which names are bound.

pub mod typed;

pub mod ty;

pub mod fields;

pub mod linear;

mod bind;
mod call;
mod check;
mod control;
mod expand;
mod expr;
mod fold;
mod forms;
mod habits;
mod resolve;
mod scope;
mod structs;
mod sugar;

use std::collections::HashMap;

use proc_macro2::Span;

use crate::diagnostic::{Diagnostic, Kind};
use crate::ir::Arena;
use crate::syntax::ast;
use check::Check;
use scope::Scope;
use ty::{By, Mismatch, Ty, Unifier};
use typed::{Expr, ExprKind, Local, LocalInfo};

/// What inference gives: the first mistake ends it, since later ones would mostly be its echo.
type Typed<T> = Result<T, Diagnostic>;

/// Inference of one program.
struct Infer<'a> {
    unifier: Unifier,
    locals: Arena<Local, LocalInfo>,
    scope: Scope,
    aliases: HashMap<&'a str, &'a ast::Alias>,
    /// By each of their names.
    structs: HashMap<&'a str, &'a ast::Struct>,
    /// What the parameters of the struct at hand are.
    type_params: Vec<(&'a str, Ty)>,
    macros: HashMap<&'a str, &'a ast::Macro>,
    /// The aliases whose types are being resolved, to refuse recursion.
    resolving: Vec<String>,
    /// The mark of each expansion of a user's macro: its name, and the mark of the name where it is called.
    expansions: HashMap<u32, (String, u32)>,
    checks: Vec<Check>,
    /// The mark of the last expansion.
    mark: u32,
}

/// Types `program`, or gives its errors.
///
/// ```
/// # use weldment_core::infer::infer;
/// # use weldment_core::syntax::parse_text;
/// use weldment_core::diagnostic::Kind;
/// use weldment_runtime::types::Type;
/// let typed = infer(&parse_text("|v: &[f64], i: i32| v[i]").unwrap()).unwrap();
/// assert_eq!(typed.result, Type::F64);
/// let errors = infer(&parse_text("|x: i64| x + 0.5").unwrap()).unwrap_err();
/// assert_eq!(errors[0].kind, Kind::Type);
/// ```
pub fn infer(program: &ast::Program) -> Result<typed::Program, Vec<Diagnostic>> {
    Infer::new(program).and_then(|infer| infer.program(&program.closure)).map_err(|error| vec![error])
}

impl<'a> Infer<'a> {
    fn new(program: &'a ast::Program) -> Typed<Infer<'a>> {
        let mut infer = Infer {
            unifier: Unifier::default(),
            locals: Arena::new(),
            scope: Scope::default(),
            aliases: HashMap::new(),
            structs: HashMap::new(),
            type_params: Vec::new(),
            macros: HashMap::new(),
            resolving: Vec::new(),
            expansions: HashMap::new(),
            checks: Vec::new(),
            mark: 0,
        };
        infer.declare_structs(&program.structs)?;
        for alias in &program.aliases {
            let is_struct = infer.structs.contains_key(alias.name.name.as_str());
            if infer.aliases.insert(&alias.name.name, alias).is_some() || is_struct {
                let message = format!("the type `{}` is defined twice", alias.name.name);
                let error = Diagnostic::new(Kind::Name, alias.name.span, message);
                return Err(error.help("give one of them another name"));
            }
        }
        for definition in &program.macros {
            let name = &definition.name;
            if infer.macros.insert(&name.name, definition).is_some() {
                let message = format!("the macro `{}` is defined twice", name.name);
                return Err(
                    Diagnostic::new(Kind::Name, name.span, message).help("give one of them another name")
                );
            }
        }
        Ok(infer)
    }

    fn program(mut self, closure: &ast::Closure) -> Result<typed::Program, Diagnostic> {
        let mut params = Vec::new();
        let mut lets = Vec::new();
        for param in &closure.params {
            let Some(ty) = &param.ty else {
                let span = param.pattern.span();
                let name = if let ast::Pattern::Name(name) = &param.pattern { &name.name } else { "x" };
                return Err(Diagnostic::new(Kind::Type, span, "a parameter of the program needs a type")
                    .help(format!("write `{name}: &[f64]`, or whatever it is")));
            };
            let ty = self.ty(ty)?;
            let (local, parts) = self.bind_pattern(&param.pattern, &ty)?;
            params.push(local);
            lets.extend(parts);
        }
        let mut body = self.expr(&closure.body)?;
        if let Some(result) = &closure.result {
            let ty = self.ty(result)?;
            self.expect(&body, &ty)?;
        }
        body = bind::wrap(lets, body);
        self.finish(params, body)
    }

    /// A new variable.
    fn local(&mut self, name: &str, ty: Ty, span: Span) -> Local {
        self.locals.push(LocalInfo { name: name.to_string(), ty, span })
    }

    /// The type that is written as `ty`.
    fn ty(&mut self, ty: &ast::Type) -> Typed<Ty> {
        use std::rc::Rc;
        Ok(match &ty.kind {
            ast::TypeKind::Infer => self.unifier.fresh(),
            ast::TypeKind::Scalar(scalar) => Ty::Scalar(*scalar),
            ast::TypeKind::Vec(element) => Ty::vec(self.ty(element)?),
            ast::TypeKind::Dict(key, value) => {
                let span = key.span;
                let (key, value) = (self.ty(key)?, self.ty(value)?);
                self.check(Check::Key(key.clone(), span))?;
                Ty::Dict(Rc::new(key), Rc::new(value))
            }
            ast::TypeKind::Struct(fields) => {
                Ty::Struct(fields.iter().map(|field| self.ty(field)).collect::<Typed<_>>()?)
            }
            ast::TypeKind::Appender(element) => Ty::Appender(Rc::new(self.ty(element)?)),
            ast::TypeKind::Merger(value, op) => Ty::Merger(Rc::new(self.ty(value)?), By::Op(*op)),
            ast::TypeKind::DictMerger(key, value, op) => {
                Ty::DictMerger(Rc::new(self.ty(key)?), Rc::new(self.ty(value)?), By::Op(*op))
            }
            ast::TypeKind::GroupMerger(key, value) => {
                Ty::GroupMerger(Rc::new(self.ty(key)?), Rc::new(self.ty(value)?))
            }
            ast::TypeKind::VecMerger(value, op) => Ty::VecMerger(Rc::new(self.ty(value)?), *op),
            ast::TypeKind::Name(named) => return self.named_type(&named.name, &named.args),
        })
    }

    /// The alias or struct `name`, applied to `args`.
    fn named_type(&mut self, name: &ast::Ident, args: &[ast::Type]) -> Typed<Ty> {
        let text = name.name.as_str();
        if let Some((_, ty)) = self.type_params.iter().find(|(param, _)| *param == text) {
            return Ok(ty.clone());
        }
        if let Some(definition) = self.structs.get(text).copied() {
            let args = args.iter().map(|arg| self.ty(arg)).collect::<Typed<Vec<_>>>()?;
            return self.struct_type(definition, args, name.span);
        }
        let Some(alias) = self.aliases.get(text).copied().filter(|_| args.is_empty()) else {
            return Err(self.unknown_type(name));
        };
        self.within_type(name, |this| this.ty(&alias.ty))
    }

    /// Runs `part` while the type `name` is resolved, which must not be part of itself.
    fn within_type<T>(&mut self, name: &ast::Ident, part: impl FnOnce(&mut Self) -> Typed<T>) -> Typed<T> {
        if self.resolving.contains(&name.name) {
            let message = format!("the type `{}` contains itself", name.name);
            return Err(Diagnostic::new(Kind::Name, name.span, message)
                .help("types are finite: keep a tree in vectors, with indices for its edges"));
        }
        self.resolving.push(name.name.clone());
        let result = part(self);
        self.resolving.pop();
        result
    }

    fn unknown_type(&self, name: &ast::Ident) -> Diagnostic {
        let names = self.aliases.keys().chain(self.structs.keys()).copied();
        let known = names.chain(weldment_runtime::types::Scalar::ALL.map(|s| s.name()));
        if let Some(instead) = instead_of(&name.name) {
            let message = format!("the type `{}` is not one of the language", name.name);
            return Diagnostic::new(Kind::Type, name.span, message).help(instead);
        }
        let message = format!("the type `{}` is not known", name.name);
        let error = Diagnostic::new(Kind::Name, name.span, message);
        match scope::nearest(&name.name, known) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help(
                "define it before the program, `struct Name { a: f64, b: i32 }`, or pass tuples, `&[(f64, i32)]`",
            ),
        }
    }

    /// Requires `expr` to have type `ty`.
    fn expect(&mut self, expr: &Expr, ty: &Ty) -> Typed<()> {
        self.unifier.unify(ty, &expr.ty).map_err(|why| self.mismatch(expr, ty, why))
    }

    /// The error of an expression that has another type than expected.
    fn mismatch(&self, expr: &Expr, expected: &Ty, why: Mismatch) -> Diagnostic {
        let (want, found) = (self.unifier.show(expected), self.unifier.show(&expr.ty));
        match why {
            Mismatch::Literal(value, span) => self.literal_mismatch(value, span, expected, &expr.ty),
            Mismatch::Infinite => {
                let message =
                    format!("this type would contain itself: `{found}` and `{want}` cannot be equal");
                Diagnostic::new(Kind::Type, expr.span, message)
            }
            Mismatch::Types => {
                let error =
                    Diagnostic::new(Kind::Type, expr.span, format!("expected `{want}`, found `{found}`"));
                match (self.unifier.shallow(expected), self.unifier.shallow(&expr.ty)) {
                    (Ty::BOOL, Ty::Scalar(from)) => {
                        let (source, zero) = (self.written(expr), if from.is_float() { "0.0" } else { "0" });
                        error.help(format!("compare it: `{source} != {zero}`"))
                    }
                    (Ty::Scalar(to), Ty::Scalar(_)) => {
                        error.help(format!("convert it: `{to}({})`", self.written(expr)))
                    }
                    (Ty::Struct(want), Ty::Struct(found)) if found.name().is_none() => match want.name() {
                        Some(named) => error.help(structs::form(named)),
                        None => error,
                    },
                    (Ty::Vec(_), Ty::Scalar(_)) => error.help("a vector of one element is written `[x]`"),
                    _ => error,
                }
            }
        }
    }

    /// How advice writes the expression: by its name, if it has one.
    fn written(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Local(local) => self.locals[*local].name.clone(),
            ExprKind::Let { body, .. } => self.written(body),
            _ => "…".into(),
        }
    }

    fn literal_mismatch(&self, value: i128, span: Span, a: &Ty, b: &Ty) -> Diagnostic {
        // One side is the literal's own type, somewhere inside; the other is what its context needs.
        let other = if self.unifier.is_literal(a) { b } else { a };
        let want = self.unifier.show(other);
        let error = Diagnostic::new(Kind::Type, span, format!("expected `{want}`, found an integer"));
        match self.unifier.shallow(other) {
            Ty::Scalar(scalar) if scalar.is_float() => error.help(format!("write `{value}.0`")),
            _ => error,
        }
    }
}

/// What to pass in place of a type of Rust that the language does not have.
fn instead_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "String" | "str" => "pass the bytes: `&[u8]`, or `&[Vec<u8>]` for a column of strings",
        "char" => "pass bytes, `u8`, or code points, `u32`",
        "i128" | "u128" => "the widest integers are `i64` and `u64`",
        "f16" | "f128" => "the floats are `f32` and `f64`",
        _ => return None,
    })
}
