//! Functions and constants of a program: typed once where they are defined, so that a mistake is told even if nobody uses them,
//! and anew wherever they are used, as if they stood there, but that they see nothing but items.

use std::rc::Rc;

use weldment_runtime::lang::types::Scalar;

use super::condition::Check;
use super::functions::Argument;
use super::scope::{Function, Item, Sight, Signature};
use super::structs::defined_twice;
use super::ty::Ty;
use super::typed::Expr;
use super::{Infer, Typed, functions};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Bound, Pattern, TypeKind};

impl<'a> Infer<'a> {
    /// Declares the items of `program`, and types each of them.
    pub(super) fn declare_items(&mut self, program: &'a ast::Program) {
        let functions = program.functions.iter().map(|of| ("function", &of.name, Item::Function(of)));
        let constants = program.constants.iter().map(|of| ("constant", &of.name, Item::Constant(of)));
        for (what, name, item) in functions.chain(constants) {
            let text = name.name.as_str();
            if self.items.insert(text, item).is_some() || self.macros.contains_key(text) {
                self.errors.push(defined_twice(what, name));
            }
        }
        for function in &program.functions {
            let outcome = self.check_function(function);
            self.report(outcome);
        }
        for constant in &program.constants {
            let outcome = self.constant(constant, &constant.name);
            self.report(outcome);
        }
    }

    /// The item that `name` means, if the user wrote it and no variable has that name.
    pub(super) fn item(&self, name: &ast::Ident) -> Option<Item<'a>> {
        let item = self.items.get(name.name.as_str()).copied();
        item.filter(|_| self.is_users(name) && self.scope.find(name).is_none())
    }

    /// The function among the items that `name` means.
    pub(super) fn function_item(&self, name: &ast::Ident) -> Option<&'a ast::Function> {
        match self.item(name) {
            Some(Item::Function(function)) => Some(function),
            _ => None,
        }
    }

    /// Types a function with parameters that are not known. What takes functions is typed where it is called.
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
        if types().any(|ty| matches!(ty.kind, TypeKind::Function(..))) {
            return Ok(());
        }
        let any = |bound| match bound {
            Bound::Any | Bound::Float | Bound::Number => Ty::Scalar(Scalar::F64),
            Bound::Int => Ty::I64,
        };
        let types = of.generics.iter().map(|param| (param.name.name.clone(), any(param.bound))).collect();
        let sight = self.scope.sight_of_item(&of.name.name, types);
        let mut args = Vec::new();
        for param in &of.closure.params {
            let ty = match &param.ty {
                Some(ty) => self.inside(&sight, |this| this.ty(ty)),
                None => self.unifier.error(),
            };
            args.push(Argument::Value(Expr { ty, ..self.hole(param.pattern.span()) }));
        }
        self.body_for(&of.closure, Some(&sight), args);
        Ok(())
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
                    let signature = self.inside(&sight, |this| {
                        let params = params.iter().map(|param| this.ty(param)).collect();
                        Signature { params, result: this.ty(result) }
                    });
                    Argument::Function(self.function_for(arg, signature)?)
                }
                Some(ty) => {
                    let ty = self.inside(&sight, |this| this.ty(ty));
                    Argument::Value(self.typed(arg, &ty))
                }
                None => Argument::Value(self.expr(arg)),
            });
        }
        Ok(self.body_for(&of.closure, Some(&sight), given))
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
            name,
            "function",
            "functions are expanded in place; for repetition use `iterate`, `fold` or `for`",
        ) {
            return None;
        }
        let mut types = Vec::new();
        for param in &of.generics {
            let ty = self.unifier.fresh();
            let what = format!("`{}` of `{}`", param.name.name, of.name.name);
            self.require(Check::Bound(ty.clone(), param.bound, what, name.span));
            types.push((param.name.name.clone(), ty));
        }
        Some(self.scope.sight_of_item(&of.name.name, types))
    }

    /// Whether the item `name` is not used in its own body, which is told.
    fn is_outside(&mut self, name: &ast::Ident, what: &str, advice: &str) -> bool {
        if !self.scope.is_inside(&name.name) {
            return true;
        }
        let message = format!("the {what} `{}` is recursive", name.name);
        self.refuse(&name.name, Diagnostic::new(Code::Recursive, name.span, message).help(advice));
        false
    }

    /// The value of a constant.
    pub(super) fn constant(&mut self, of: &ast::Constant, name: &ast::Ident) -> Typed<Expr> {
        if !self.is_outside(name, "constant", "write what it is made of as a constant of its own") {
            return Ok(self.hole(name.span));
        }
        let sight = self.scope.sight_of_item(&of.name.name, Vec::new());
        Ok(self.inside(&sight, |this| {
            let ty = this.ty(&of.ty);
            this.typed(&of.value, &ty)
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
