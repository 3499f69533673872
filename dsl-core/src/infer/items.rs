//! Functions and constants of a program: typed once where they are defined, so that a mistake is told even if nobody uses them,
//! and anew wherever they are used, as if they stood there, but that they see nothing but items.

use std::borrow::Cow;
use std::rc::Rc;

use proc_macro2::Span;

use weldment_runtime::lang::types::Scalar;

use super::condition::Check;
use super::functions::Argument;
use super::scope::{Function, Item, Sight, Signature};
use super::structs::defined_twice;
use super::ty::Ty;
use super::typed::{Expr, ExprKind, Local};
use super::{Infer, Typed, expand, functions};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Bound, Outside, Pattern, TypeKind};

/// What to do with an item of the program that one of a library names.
pub(super) const NOT_WELDED: &str =
    "what is `#[welded]` sees nothing of the program but others of its kind: make it one, too";

impl<'a> Infer<'a> {
    /// Declares the constants from outside. The types of those that say none follow from their use.
    pub(super) fn declare_outside(&mut self, program: &'a ast::Program) {
        for (param, outside) in program.closure.params.iter().zip(&program.outside) {
            let (Pattern::Name(name), Outside::Constant) = (&param.pattern, outside) else { continue };
            let ty = self.entry_type(param, true);
            self.require_outside(name, &ty, true);
            let local = self.local(&name.name, ty, name.span);
            if self.items.insert(&name.name, Item::Outside(local)).is_some() {
                self.errors.push(defined_twice("constant", name));
            }
        }
    }

    /// Requires that the type of what comes from outside is known in the end.
    pub(super) fn require_outside(&mut self, name: &ast::Ident, ty: &Ty, is_constant: bool) {
        let (ty, name, span) = (ty.clone(), name.name.clone(), name.span);
        self.require(Check::Outside { ty, name, is_constant, span });
    }

    /// What the constant from outside is that `param` declares.
    pub(super) fn outside(&self, param: &ast::Param) -> Option<Local> {
        match (&param.pattern, self.items.get(param_name(&param.pattern))) {
            (Pattern::Name(_), Some(Item::Outside(local))) => Some(*local),
            _ => None,
        }
    }

    /// The value of an item that is one.
    pub(super) fn item_value(&mut self, item: Item<'a>, name: &ast::Ident) -> Typed<Expr> {
        match item {
            Item::Constant(constant) => self.constant(constant, name),
            Item::Outside(local) => {
                let ty = self.locals[local].ty.clone();
                Ok(Expr { kind: ExprKind::Local(local), ty, span: name.span })
            }
            Item::Function(_) => Err(functions::as_value(name.span)),
        }
    }

    /// Declares the items of `program`, and types each of them.
    pub(super) fn declare_items(&mut self, program: &'a ast::Program) {
        let functions =
            program.functions.iter().map(|of| ("function", &of.name, &of.paths, Item::Function(of)));
        let constants =
            program.constants.iter().map(|of| ("constant", &of.name, &of.paths, Item::Constant(of)));
        for (what, name, paths, item) in functions.chain(constants) {
            let others = paths.iter().filter(|path| **path != name.name);
            for text in std::iter::once(&name.name).chain(others).map(String::as_str) {
                if self.items.insert(text, item).is_some() || self.macros.contains_key(text) {
                    let name = ast::Ident { name: text.to_owned(), ..name.clone() };
                    self.errors.push(defined_twice(what, &name));
                }
            }
        }
        program.uses.iter().for_each(|of| self.declare_use(of));
        for function in program.functions.iter().filter(|of| !of.is_welded) {
            let outcome = self.check_function(function);
            self.report(outcome);
        }
        for constant in program.constants.iter().filter(|of| !of.is_welded) {
            let outcome = self.constant(constant, &constant.name);
            self.report(outcome);
        }
    }

    /// Declares what stands at the path of a `use` by the name that it has there.
    fn declare_use(&mut self, of: &'a ast::Use) {
        let (path, name) = (of.path.name.as_str(), of.name.name.as_str());
        let is_found = self.items.contains_key(path) || self.structs.contains_key(path);
        if is_found && path == name {
            return;
        }
        if self.items.contains_key(name) || self.macros.contains_key(name) || self.structs.contains_key(name)
        {
            self.errors.push(defined_twice("name", &of.name));
        } else if let Some(item) = self.items.get(path).copied() {
            self.items.insert(name, item);
        } else if let Some(definition) = self.structs.get(path).copied() {
            self.structs.insert(name, definition);
        } else {
            let message = format!("the program has nothing called `{path}`");
            let error = Diagnostic::new(Code::UnknownPath, of.path.span, message);
            let advice = "a program that is text defines what it uses, `#[welded] fn shop::tax(x: f64) -> f64 { … }`; in `weld!` it is found in Rust";
            self.refuse(path, error.help(advice));
            // Of the name that would mean it nothing more is said.
            self.refused.insert((Code::UnknownFunction, name.to_owned()));
        }
    }

    /// The item that `name` means, if the user wrote it and no variable has that name.
    pub(super) fn item(&self, name: &ast::Ident) -> Option<Item<'a>> {
        let item = self.items.get(name.name.as_str()).copied();
        let is_seen = |item: &Item<'_>| !self.scope.is_in_welded() || item.is_welded();
        item.filter(|item| self.is_users(name) && is_seen(item) && self.scope.find(name).is_none())
    }

    /// The item that `first::rest` names, and that name.
    pub(super) fn item_at(&self, first: &ast::Ident, rest: &str) -> Option<(Item<'a>, ast::Ident)> {
        let name = ast::Ident { name: format!("{}::{rest}", first.name), ..first.clone() };
        self.item(&name).map(|item| (item, name))
    }

    /// The function among the items that `name` means.
    pub(super) fn function_item(&self, name: &ast::Ident) -> Option<&'a ast::Function> {
        match self.item(name) {
            Some(Item::Function(function)) => Some(function),
            _ => None,
        }
    }

    /// Types a function with parameters that are not known.
    fn check_function(&mut self, of: &ast::Function) -> Typed<()> {
        let types = || of.closure.params.iter().filter_map(|param| param.ty.as_ref());
        for param in &of.generics {
            if !types().any(|ty| names(ty, &param.name.name)) {
                let message =
                    format!("no parameter of `{}` tells what `{}` is", of.name.name, param.name.name);
                let error = Diagnostic::new(Code::NotInferred, param.name.span, message);
                return Err(error.help("leave it out, or give a parameter a type that it is part of"));
            }
        }
        let any = |bound| match bound {
            Bound::Any | Bound::Float | Bound::Number => Ty::Scalar(Scalar::F64),
            Bound::Int => Ty::I64,
        };
        let types = of.generics.iter().map(|param| (param.name.name.clone(), any(param.bound))).collect();
        let sight = self.scope.sight_of_item(&of.name, of.is_welded, types);
        let mark = self.scope.enter();
        let mut args = Vec::new();
        for param in &of.closure.params {
            let span = param.pattern.span();
            args.push(match &param.ty {
                Some(ast::Type { kind: TypeKind::Function(params, result), .. }) => {
                    let signature = self.inside(&sight, |this| this.signature(params, result));
                    Argument::Function(self.unknown_function_of(signature, span))
                }
                Some(ty) => {
                    let ty = self.inside(&sight, |this| this.ty(ty));
                    Argument::Value(Expr { ty, ..self.hole(span) })
                }
                None => Argument::Value(self.hole(span)),
            });
        }
        self.body_for(&of.closure, Some(&sight), args);
        self.scope.leave(mark);
        Ok(())
    }

    fn signature(&mut self, params: &[ast::Type], result: &ast::Type) -> Signature {
        Signature { params: params.iter().map(|param| self.ty(param)).collect(), result: self.ty(result) }
    }

    /// Some function of which no more is known: it gives a variable.
    fn unknown_function_of(&mut self, signature: Signature, span: Span) -> Function {
        let name = ast::Ident { name: String::new(), mark: 0, span };
        let local = self.local("f", signature.result.clone(), span);
        self.scope.bind(&name, local);
        let param = || ast::Param { pattern: Pattern::Ignore(span), ty: None };
        let body = Box::new(ast::Expr { kind: ast::ExprKind::Name(name), span });
        let closure = ast::Closure {
            params: signature.params.iter().map(|_| param()).collect(),
            result: None,
            body,
            span,
        };
        let form = Rc::new(ast::Expr { kind: ast::ExprKind::Closure(closure), span });
        Function { form, sight: self.scope.sight(), signature: Some(Rc::new(signature)) }
    }

    /// `name(args)`, a call of a function of the program.
    pub(super) fn item_call(
        &mut self,
        of: &'a ast::Function,
        name: &ast::Ident,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Expr> {
        let params: Vec<&str> = of.closure.params.iter().map(|param| param_name(&param.pattern)).collect();
        self.expect_args(name, args, &params, is_method)?;
        let Some(sight) = self.use_of(of, name) else {
            self.arguments(args);
            return Ok(self.hole(name.span));
        };
        let mut given = Vec::new();
        for (param, arg) in of.closure.params.iter().zip(args.iter()) {
            given.push(match &param.ty {
                Some(ast::Type { kind: TypeKind::Function(params, result), .. }) => {
                    let signature = self.inside(&sight, |this| this.signature(params, result));
                    Argument::Function(self.function_for(arg, signature)?)
                }
                Some(ty) => {
                    let ty = self.inside(&sight, |this| this.ty(ty));
                    Argument::Value(self.typed(arg, &ty))
                }
                None => Argument::Value(self.expr(arg)),
            });
        }
        let closure = self.closure_of(of, name.span);
        Ok(self.body_for(&closure, Some(&sight), given))
    }

    /// The function as it is for a use at `span`: one of a library stands there with all its tokens.
    pub(super) fn closure_of(&mut self, of: &'a ast::Function, span: Span) -> Cow<'a, ast::Closure> {
        if !of.is_welded {
            return Cow::Borrowed(&of.closure);
        }
        let (closure, nodes) = expand::moved(&of.closure, span);
        self.spend(nodes, span);
        Cow::Owned(closure)
    }

    /// The function that `arg` is, for a parameter of this type.
    fn function_for(&mut self, arg: &ast::Expr, signature: Signature) -> Typed<Function> {
        let Some(function) = self.function_named_by(arg)? else {
            self.arguments(std::slice::from_ref(arg));
            let error = Diagnostic::new(Code::NeedsFunction, arg.span, "expected a function, found a value");
            return Err(error.help("write one, `|x| …`, or name one"));
        };
        if let ast::ExprKind::Closure(closure) = &function.form.kind
            && closure.params.len() != signature.params.len()
        {
            return Err(functions::arity(closure, signature.params.len()));
        }
        Ok(Function { signature: Some(Rc::new(signature)), ..function })
    }

    /// What a use of `of` by `name` sees. Nothing if it is used in its own body, which has been told.
    pub(super) fn use_of(&mut self, of: &ast::Function, name: &ast::Ident) -> Option<Sight> {
        if !self.is_outside(
            &of.name.name,
            name,
            "function",
            "functions are expanded in place; for repetition use `iterate`, `fold` or `for`",
        ) {
            return None;
        }
        let mut types = Vec::new();
        for param in &of.generics {
            let ty = self.unifier.fresh();
            let what = format!("`{}` of `{}`", param.name.name, name.name);
            self.require(Check::Bound(ty.clone(), param.bound, what, name.span));
            types.push((param.name.name.clone(), ty));
        }
        Some(self.scope.sight_of_item(&of.name, of.is_welded, types))
    }

    /// Whether the item `own`, used by `name`, is not used in its own body, which is told.
    fn is_outside(&mut self, own: &str, name: &ast::Ident, what: &str, advice: &str) -> bool {
        if !self.scope.is_inside(own) {
            return true;
        }
        let message = format!("the {what} `{}` is recursive", name.name);
        self.refuse(&name.name, Diagnostic::new(Code::Recursive, name.span, message).help(advice));
        false
    }

    /// The value of a constant.
    fn constant(&mut self, of: &ast::Constant, name: &ast::Ident) -> Typed<Expr> {
        if !self.is_outside(
            &of.name.name,
            name,
            "constant",
            "write what it is made of as a constant of its own",
        ) {
            return Ok(self.hole(name.span));
        }
        let sight = self.scope.sight_of_item(&of.name, of.is_welded, Vec::new());
        Ok(self.inside(&sight, |this| {
            let ty = this.ty(&of.ty);
            if !of.is_welded {
                return this.typed(&of.value, &ty);
            }
            let (value, nodes) = expand::moved_value(&of.value, name.span);
            this.spend(nodes, name.span);
            this.typed(&value, &ty)
        }))
    }

    /// What `part` gives, while names mean what `sight` sees.
    fn inside<T>(&mut self, sight: &Sight, part: impl FnOnce(&mut Self) -> T) -> T {
        let seen = self.scope.see(sight);
        let result = part(self);
        self.scope.see_again(seen);
        result
    }
}

/// Whether `ty` has the type parameter `param` in it.
fn names(ty: &ast::Type, param: &str) -> bool {
    matches!(&ty.kind, TypeKind::Name(named) if named.name.name == param)
        || ty.parts().any(|part| names(part, param))
}

fn param_name(pattern: &Pattern) -> &str {
    if let Pattern::Name(name) = pattern { &name.name } else { "x" }
}
