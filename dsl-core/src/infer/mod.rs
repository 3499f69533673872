//! Types: from the surface tree to the typed tree.
//!
//! Inference is unification from the parameters inwards and backwards through `let`. What a type variable must
//! satisfy besides (be a number, have a field) is kept as a `condition::Check` until the variable is known.
//! Sugar is expanded here, where it is known which names are bound.
//!
//! A mistake does not end inference: what is refused gets a type that agrees with every other, and the rest is typed
//! as if it were right. So a program is told all mistakes that do not come from each other.

pub mod typed;

pub mod builtins;

mod walk;

pub mod ty;

pub mod fields;
pub mod fixed;
mod fixed_arrays;

pub mod linear;

mod advice;
mod affine;
mod along;
mod arrays;
mod arrow;

mod aggregates;
mod aliases;
mod bind;
mod border;
mod call;
mod casts;
mod check;
mod columns;
mod condition;
mod context;
mod control;
mod cursors;
mod dbg;
mod decide;
mod enums;
mod exhaustive;
mod expand;
mod expr;
mod fold;
mod forms;
mod functions;
mod groups;
mod habits;
mod halves;
mod items;
mod iters;
mod joins;
mod like;
mod limits;
mod macros;
mod matches;
mod mixed;
mod names;
mod neighbours;
mod no_fixed;
mod no_texts;
mod no_times;
mod options;
mod pairs;
mod patterns;
mod pieces;
mod pointwise;
mod powers;
mod products;
mod quoted;
mod resolve;
mod scans;
mod schemes;
mod scope;
mod search;
mod selection;
mod structs;
mod sugar;
mod tables;
mod texts;
#[doc(hidden)]
pub mod times;
mod views;
mod words;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use proc_macro2::Span;

use crate::diagnostic::{Code, Diagnostic, in_order};
use crate::ir::Arena;
use crate::syntax::ast;
use condition::Check;
use context::{Infer, Limits, Typed};
use scope::Scope;
use ty::{Ty, Unifier};
use typed::{Expr, ExprKind, Local, LocalInfo};
pub use words::{is_function, is_word};

/// Types `program`, or gives its mistakes in the order of their places.
pub fn infer(program: &ast::Program) -> Result<typed::Program, Vec<Diagnostic>> {
    Infer::new(program).program(program).map_err(in_order)
}

/// The parameters of the program.
struct Entry {
    /// Each, and whether it is a view.
    params: Vec<(Local, bool)>,
    /// Those that are structs that borrow, by the numbers that are written.
    lent: Vec<(usize, Ty)>,
    /// Those that are declared `const`, and the word.
    wanted: Vec<(Local, Span)>,
}

impl<'a> Infer<'a> {
    fn new(program: &'a ast::Program) -> Infer<'a> {
        let mut infer = Infer {
            unifier: Unifier::new(program.spelling),
            spelling: program.spelling,
            excerpts: &program.excerpts,
            locals: Arena::new(),
            scope: Scope::default(),
            functions: HashMap::new(),
            groups: HashMap::new(),
            aliases: HashMap::new(),
            axes: HashSet::new(),
            structs: HashMap::new(),
            type_params: Vec::new(),
            macros: HashMap::new(),
            items: HashMap::new(),
            resolving: Vec::new(),
            expansions: HashMap::new(),
            checks: Vec::new(),
            matches: Vec::new(),
            is_matching: false,
            inputs: Vec::new(),
            errors: Vec::new(),
            refused: HashSet::new(),
            mark: 0,
            peeked: Vec::new(),
            is_outside: false,
            has_border: false,
            limits: Limits::of(program.size),
        };
        infer.declare_structs(&program.structs);
        for axis in &program.axes {
            if !infer.axes.insert(&axis.name) {
                infer.errors.push(structs::defined_twice("axis", axis));
            }
        }
        for alias in &program.aliases {
            let is_struct = infer.structs.contains_key(alias.name.name.as_str());
            if infer.aliases.insert(&alias.name.name, alias).is_some() || is_struct {
                infer.errors.push(structs::defined_twice("type", &alias.name));
            }
        }
        infer.check_structs(&program.structs);
        infer.check_aliases(&program.aliases);
        for definition in &program.macros {
            if infer.macros.insert(&definition.name.name, definition).is_some() {
                infer.errors.push(structs::defined_twice("macro", &definition.name));
            }
        }
        infer.declare_outside(program);
        infer.declare_items(program);
        infer
    }

    fn program(mut self, program: &ast::Program) -> Result<typed::Program, Vec<Diagnostic>> {
        let closure = &program.closure;
        let mut params = Vec::new();
        let mut lets = Vec::new();
        // Parts of patterns are read behind all that parameters are, as where the body takes them apart.
        let mut patterns = Vec::new();
        let mut lent = Vec::new();
        let mut wanted = Vec::new();
        for (number, param) in closure.params.iter().enumerate() {
            let is_outside = number < program.outside.len();
            if is_outside && let Some(constant) = self.outside(param) {
                params.push((constant, false));
                continue;
            }
            let ty = self.entry_type(param, is_outside);
            if let (ast::Pattern::Name(name), true) = (&param.pattern, is_outside) {
                self.require_outside(name, &ty, false);
            }
            let word = number.checked_sub(program.outside.len()).and_then(|own| {
                program.wanted.iter().find(|(wanted, _)| *wanted == own).map(|(_, word)| *word)
            });
            if let Some((columns, parts)) = self.bind_lent(&param.pattern, &ty) {
                wanted.extend(columns.iter().zip(word).map(|(&column, word)| (column, word)));
                params.extend(columns.into_iter().map(|column| (column, false)));
                lets.extend(parts);
                lent.push((number, ty));
                continue;
            }
            self.check_lent_inside(&ty, param.pattern.span());
            self.check_columns_inside(&ty, false, param.pattern.span());
            let (local, inside, parts) = self.bind_outside(&param.pattern, &ty);
            let is_view = matches!(&param.ty, Some(ty) if matches!(ty.kind, ast::TypeKind::View(..)));
            params.push((local, is_view));
            wanted.extend(word.map(|word| (local, word)));
            lets.extend(self.fixed_extents(&param.pattern, local));
            lets.extend(inside);
            patterns.extend(parts);
        }
        lets.extend(patterns);
        let body = match &closure.result {
            Some(ty) => {
                let (span, ty) = (ty.span, self.outside_ty(ty));
                let ty = self.owned("a result", ty, span);
                self.check_columns_inside(&ty, true, span);
                self.function_body(closure, |this| this.typed_outside(&closure.body, &ty))
            }
            None => self.closure_body(closure),
        };
        self.finish(Entry { params, lent, wanted }, bind::wrap(lets, body))
    }

    /// The type of a parameter of the program. One that comes from outside need not say it.
    fn entry_type(&mut self, param: &ast::Param, is_outside: bool) -> Ty {
        match &param.ty {
            Some(ast::Type { kind: ast::TypeKind::View(element, axes), .. }) => {
                self.read_outside(|this| this.array_type(element, axes))
            }
            Some(ty) => self.outside_ty(ty),
            None if is_outside => self.unifier.fresh(),
            None => {
                self.errors.push(untyped(&param.pattern));
                self.unifier.error()
            }
        }
    }

    /// What `outcome` gives; its mistake is kept to be told.
    fn report<T>(&mut self, outcome: Typed<T>) -> Option<T> {
        outcome.map_err(|error| self.errors.push(error)).ok()
    }

    /// Keeps the mistake of a name, unless the same has been told of this name before. Says whether it is kept.
    fn refuse(&mut self, name: &str, error: Diagnostic) -> bool {
        let is_new = self.refused.insert((error.code, name.to_owned()));
        if is_new {
            self.errors.push(error);
        }
        is_new
    }

    /// What stands for an expression that is refused. It is never lowered, as there is an error.
    fn hole(&mut self, span: Span) -> Expr {
        Expr { kind: ExprKind::Struct(Vec::new()), ty: self.unifier.error(), span }
    }

    /// A new variable.
    fn local(&mut self, name: &str, ty: Ty, span: Span) -> Local {
        self.locals.push(LocalInfo { name: name.to_string(), ty, span })
    }

    /// The type that is written as `ty`.
    fn ty(&mut self, ty: &ast::Type) -> Ty {
        if !self.enter_type(ty.span) {
            return self.unifier.error();
        }
        let typed = self.written_type(ty);
        self.leave_type();
        typed
    }

    fn written_type(&mut self, ty: &ast::Type) -> Ty {
        use std::rc::Rc;
        match &ty.kind {
            ast::TypeKind::Infer => self.unifier.fresh(),
            ast::TypeKind::Scalar(scalar) => Ty::Scalar(*scalar),
            ast::TypeKind::Size(size) => self.size_type(*size),
            ast::TypeKind::Text => Ty::text(),
            ast::TypeKind::Fixed(scale) => Ty::fixed(*scale),
            ast::TypeKind::Reference { of, by, is_taken } => self.reference_type(of, *by, *is_taken),
            ast::TypeKind::Vec(element) => Ty::vec(self.ty(element)),
            ast::TypeKind::FixedArray(element, len) => {
                let (span, element) = (element.span, self.ty(element));
                self.require(Check::Value(element.clone(), span));
                let array = Ty::fixed_array(element, *len);
                if self.allows(&array, ty.span) { array } else { self.unifier.error() }
            }
            ast::TypeKind::Option(value) => {
                let (span, value) = (value.span, self.ty(value));
                self.require(Check::Optional(value.clone(), span));
                Ty::option(value)
            }
            ast::TypeKind::Array(element, axes) => self.array_type(element, axes),
            ast::TypeKind::View(..) => {
                let message = "an `ArrayView` is a parameter of the program, and no part of another type";
                let error = Diagnostic::new(Code::ForeignType, ty.span, message);
                self.errors
                    .push(error.help("write `Array<T, N>`; inside of a program nothing is copied for it"));
                self.unifier.error()
            }
            ast::TypeKind::Dict(key, value) => {
                let span = key.span;
                let (key, value) = (self.ty(key), self.ty(value));
                self.require(Check::Key(key.clone(), span));
                let [key, value] = self.of_dictionary([key, value], span);
                Ty::Dict(Rc::new(key), Rc::new(value))
            }
            ast::TypeKind::Struct(fields) => {
                let fields = Ty::Struct(fields.iter().map(|field| self.ty(field)).collect());
                if self.allows(&fields, ty.span) { fields } else { self.unifier.error() }
            }
            ast::TypeKind::Builder(builder) => self.builder_type(builder),
            ast::TypeKind::Function(..) => {
                let message = "`impl Fn` is what a parameter of a function may be, and nothing else";
                let error = Diagnostic::new(Code::FunctionAsValue, ty.span, message);
                self.errors.push(
                    error.help("a program takes no functions: write an item, `fn f(x: f64) -> f64 { … }`"),
                );
                self.unifier.error()
            }
            ast::TypeKind::Name(named) => self.named_type(&named.name, &named.args),
        }
    }

    /// The alias or struct `name`, applied to `args`.
    fn named_type(&mut self, name: &ast::Ident, args: &[ast::Type]) -> Ty {
        let text = name.name.as_str();
        if let Some((_, ty)) = self.type_params.iter().find(|(param, _)| *param == text) {
            return ty.clone();
        }
        if let Some(ty) = self.scope.type_param(text) {
            return ty;
        }
        let is_defined = self.structs.contains_key(text) || self.aliases.contains_key(text);
        if !is_defined && let Some(column) = self.column_type(name, args) {
            return column;
        }
        let args: Vec<Ty> = args
            .iter()
            .map(|arg| {
                let ty = self.ty(arg);
                self.owned("a struct", ty, arg.span)
            })
            .collect();
        if let Some(definition) = self.structs.get(text).copied() {
            return self.struct_type(definition, args, name.span);
        }
        let Some(alias) = self.aliases.get(text).copied() else {
            if let (Some(temporal), []) = (crate::syntax::names::temporal(text), &args[..]) {
                return Ty::temporal(temporal);
            }
            if let (Some(half), []) = (crate::syntax::names::half(text), &args[..]) {
                return Ty::half(half);
            }
            self.refuse(text, self.unknown_type(name));
            return self.unifier.error();
        };
        if !args.is_empty() {
            self.errors.push(structs::other_arguments(text, &[], args.len(), name.span));
            return self.unifier.error();
        }
        let around = std::mem::take(&mut self.type_params);
        let ty = self.within_type(name, |this| this.ty(&alias.ty));
        self.type_params = around;
        let is_recursive = self.refused.contains(&(Code::Recursive, text.to_owned()));
        ty.filter(|_| !is_recursive).unwrap_or_else(|| self.unifier.error())
    }

    /// What `part` gives while the type `name` is resolved; `None` if that is part of itself.
    fn within_type<T>(&mut self, name: &ast::Ident, part: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if let Some(first) = self.resolving.iter().position(|around| *around == name.name) {
            let message = format!("the type `{}` contains itself", name.name);
            let error = Diagnostic::new(Code::Recursive, name.span, message)
                .help("types are finite: keep a tree in vectors, with indices for its edges");
            self.refuse(&name.name, error);
            // Every type of the circle contains itself, and one of them tells it.
            let circle = self.resolving[first..].iter().map(|around| (Code::Recursive, around.clone()));
            self.refused.extend(circle);
            return None;
        }
        self.resolving.push(name.name.clone());
        let result = part(self);
        self.resolving.pop();
        Some(result)
    }

    /// Requires `expr` to have type `ty`.
    fn expect(&mut self, expr: &Expr, ty: &Ty) -> Typed<()> {
        self.unifier.unify(ty, &expr.ty).map_err(|why| self.mismatch(expr, ty, why))
    }
}

/// The error of a parameter of the program without a type.
fn untyped(pattern: &ast::Pattern) -> Diagnostic {
    let name = if let ast::Pattern::Name(name) = pattern { &name.name } else { "x" };
    Diagnostic::new(Code::Untyped, pattern.span(), "a parameter of the program needs a type")
        .help(format!("write `{name}: &[f64]`, or whatever it is"))
}
