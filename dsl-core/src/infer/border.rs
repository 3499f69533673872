//! Types of the border: what goes in or out of a program has them, and inside they are others.
//!
//! | outside | inside | goes |
//! |---|---|---|
//! | `usize`, `isize` | `i64` | in and out |
//! | `&T` inside of another type, `&[&str]`, and `Box<[T]>` and `Arc<str>` | `T` | in |
//! | `Strings`, `Nullable<T>` | `vec[str]`, `vec[option[T]]` (`arrow.rs`) | in and out |
//!
//! A parameter is made one of the inside where the program begins, and a field of a struct where it is read; a result that is declared, and a
//! field that is given, becomes one of the border in the end. Each is a `map` over what holds them, which fuses with what reads it.

use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::types::{Pointer, Size};

use super::ty::Ty;
use super::typed::{Expr, ExprKind, Local};
use super::{Infer, Typed, bind, quoted};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Ident, Param, Pattern};

/// What the number of a size, or what is lent, is called inside of the compiler.
const INSIDE: &str = "inside_of_border";

/// What a size of a number is called there.
const SIZES: [&str; 2] = ["usize_of_number", "isize_of_number"];

/// Which way a value goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Into the program: of a size its number, and what is lent.
    In,
    /// Out of it: of a number a size.
    Out,
}

impl Infer<'_> {
    /// The type that `usize` or `isize` means here.
    pub(super) fn size_type(&mut self, size: Size) -> Ty {
        if !self.is_outside {
            return Ty::I64;
        }
        self.has_border = true;
        Ty::size(size)
    }

    /// The type that a reference means here.
    pub(super) fn reference_type(&mut self, of: &ast::Type, by: Pointer, is_taken: bool) -> Ty {
        let (span, mut of) = (of.span, self.ty(of));
        if !self.is_outside || !is_taken {
            return of;
        }
        if by != Pointer::Ref {
            of = self.owned("a box", of, span);
        }
        self.has_border = true;
        Ty::lent(by, of)
    }

    /// The type that is written as `ty` for what goes in or out of the program.
    pub(super) fn outside_ty(&mut self, ty: &ast::Type) -> Ty {
        self.read_outside(|this| this.ty(ty))
    }

    /// The type that `read` reads of what goes in or out of the program.
    pub(super) fn read_outside(&mut self, read: impl FnOnce(&mut Self) -> Ty) -> Ty {
        let around = std::mem::replace(&mut self.is_outside, true);
        let ty = read(self);
        self.is_outside = around;
        ty
    }

    /// Binds a parameter of the program: gives its variable, what it is inside of the program if that is another value, and the parts of its
    /// pattern.
    pub(super) fn bind_outside(
        &mut self,
        pattern: &Pattern,
        ty: &Ty,
    ) -> (Local, Option<bind::Part>, Vec<bind::Part>) {
        if !self.holds_border(ty) {
            let (local, parts) = self.bind_pattern(pattern, ty);
            return (local, None, parts);
        }
        let span = pattern.span();
        let name = if let Pattern::Name(name) = pattern { &name.name } else { "_" };
        let param = self.local(name, ty.clone(), span);
        let whole = Expr { kind: ExprKind::Local(param), ty: ty.clone(), span };
        let inside = self.taken_in(whole);
        let (local, parts) = self.bind_pattern(pattern, &inside.ty);
        (param, Some((local, inside)), parts)
    }

    /// `expr`, which comes from outside, as the program has it.
    pub(super) fn taken_in(&mut self, expr: Expr) -> Expr {
        let ty = self.unifier.shallow(&expr.ty);
        if self.holds_border(&ty) { self.converted(expr, &ty, Way::In) } else { expr }
    }

    /// Types an expression that goes out of the program as a `ty`.
    pub(super) fn typed_outside(&mut self, expr: &ast::Expr, ty: &Ty) -> Expr {
        if !self.holds_border(ty) {
            return self.typed(expr, ty);
        }
        let inside = self.inside_of(ty);
        let typed = self.typed(expr, &inside);
        self.converted(typed, ty, Way::Out)
    }

    /// What `name` is of a value of the border; `None` if it is none of the names in this file.
    pub(super) fn border_call(&mut self, name: &Ident, args: &Rc<[ast::Expr]>) -> Typed<Option<Expr>> {
        let [arg] = &args[..] else { return Ok(None) };
        if self.is_users(name) {
            return Ok(None);
        }
        let span = name.span;
        if name.name == INSIDE {
            let outside = Box::new(self.expr(arg));
            let inside = match self.unifier.shallow(&outside.ty) {
                Ty::Struct(fields) => fields[0].clone(),
                _ => unreachable!("a size and a reference are structs of one field"),
            };
            return Ok(Some(Expr { kind: ExprKind::Field(outside, 0), ty: inside, span }));
        }
        let Some(at) = SIZES.iter().position(|known| *known == name.name) else { return Ok(None) };
        let number = self.typed(arg, &Ty::I64);
        let ty = Ty::size(Size::ALL[at]);
        Ok(Some(Expr { kind: ExprKind::Struct(vec![number]), ty, span }))
    }

    /// Whether values of type `ty` have others inside of the program. Those in structs of the user stay as they are.
    fn holds_border(&self, ty: &Ty) -> bool {
        if !self.has_border {
            return false;
        }
        let ty = self.unifier.shallow(ty);
        let is_own = ty.as_size().is_some() || ty.as_lent().is_some() || ty.as_column().is_some();
        is_own || is_converted(&ty) && ty.parts().any(|part| self.holds_border(part))
    }

    /// By what something is lent in values of type `ty`, structs of the user aside; `None` if nothing is.
    fn lends(&self, ty: &Ty) -> Option<Pointer> {
        let ty = self.unifier.shallow(ty);
        if !self.has_border {
            return None;
        }
        let own = ty.as_lent().map(|(by, _)| by);
        own.or_else(|| ty.parts().filter(|_| is_converted(&ty)).find_map(|part| self.lends(part)))
    }

    /// The type of `ty` inside of the program.
    fn inside_of(&self, ty: &Ty) -> Ty {
        let ty = self.unifier.shallow(ty);
        if ty.as_size().is_some() {
            return Ty::I64;
        }
        if let Some((_, of)) = ty.as_lent() {
            return self.inside_of(of);
        }
        if let Some(column) = ty.as_column() {
            return Ty::vec(Ty::from(&column.row()));
        }
        // Parameters of an option and of a fixed array are what they hold.
        if is_converted(&ty) { ty.map(|part| self.inside_of(part)) } else { ty }
    }

    /// `expr` in its other form, where `ty` is that of the border.
    fn converted(&mut self, expr: Expr, ty: &Ty, way: Way) -> Expr {
        let mut named = self.named(expr.span);
        let mark = self.scope.enter();
        let whole = named.name(self, expr);
        let converted = self.conversion(whole, ty, way, named.mark, 0);
        let converted = self.expr(&converted);
        self.scope.leave(mark);
        bind::wrap(named.parts, converted)
    }

    /// The syntax of `value`, a name, in its other form.
    fn conversion(&self, value: ast::Expr, ty: &Ty, way: Way, mark: u32, depth: usize) -> ast::Expr {
        let (ty, span) = (self.unifier.shallow(ty), value.span);
        if !self.holds_border(&ty) {
            return value;
        }
        if let Some(size) = ty.as_size() {
            let name = if way == Way::In { INSIDE } else { SIZES[size as usize] };
            return quoted::call(name, vec![value], mark, span);
        }
        if let Some(column) = ty.as_column() {
            return match way {
                Way::In => self.rows_of_column(&value, column, mark),
                Way::Out => self.column_of_rows(value, column, mark),
            };
        }
        if let Some((_, of)) = ty.as_lent() {
            let value = quoted::call(INSIDE, vec![value], mark, span);
            return self.conversion(value, of, way, mark, depth);
        }
        let element = match &ty {
            Ty::Vec(element) | Ty::Array(element, _) => Some((**element).clone()),
            _ => ty.as_option().cloned().or_else(|| ty.as_fixed_array().map(|(element, _)| element.clone())),
        };
        let Some(element) = element else {
            let field = |(number, field): (u32, &Ty)| {
                let kind = ast::ExprKind::Field(Box::new(value.clone()), number, ast::Spelling::Weld);
                let value = ast::Expr { kind, span };
                // A field that is read is one of the inside already.
                if way == Way::In { value } else { self.conversion(value, field, way, mark, depth) }
            };
            let fields = (0..).zip(ty.parts()).map(field).collect();
            return ast::Expr { kind: ast::ExprKind::Struct(fields), span };
        };
        let ident = Ident { name: format!("e{depth}"), mark, span };
        let name = ast::Expr { kind: ast::ExprKind::Name(ident.clone()), span };
        let body = Box::new(self.conversion(name, &element, way, mark, depth + 1));
        let params = vec![Param { pattern: Pattern::Name(ident), ty: None }];
        let closure = ast::Closure { params, result: None, body, span };
        let closure = ast::Expr { kind: ast::ExprKind::Closure(closure), span };
        quoted::call("map", vec![value, closure], mark, span)
    }

    /// The types of keys and values of a dictionary, which holds what programs have, and nothing of the border.
    pub(super) fn of_dictionary(&mut self, [key, value]: [Ty; 2], span: Span) -> [Ty; 2] {
        let types = [key, value].map(|ty| self.owned("a dictionary", ty, span));
        if !types.iter().any(|ty| self.holds_border(ty)) {
            return types;
        }
        let message = "a dictionary from outside has no sizes in it";
        self.errors.push(Diagnostic::new(Code::NoUsize, span, message).help(
            "write `i64`, as which programs have them: of a vector of sizes the program makes a dictionary by itself",
        ));
        types.map(|ty| self.inside_of(&ty))
    }

    /// `ty` of or inside of something that owns what it holds, `a dictionary`.
    pub(super) fn owned(&mut self, holder: &str, ty: Ty, span: Span) -> Ty {
        let Some(by) = self.lends(&ty) else { return ty };
        let shown = self.unifier.show(&ty);
        if by != Pointer::Ref {
            let message = format!("{holder} has no boxes in it, found `{shown}`");
            self.errors.push(Diagnostic::new(Code::ForeignType, span, message).help(
                "write what is in them, `Vec<f64>` or `String`: a program takes boxes in a slice, `&[Box<[f64]>]`, and makes none",
            ));
            return self.inside_of(&ty);
        }
        let message = format!("{holder} owns what it holds, and `{shown}` borrows");
        self.errors.push(Diagnostic::new(Code::ForeignType, span, message).help(
            "leave the `&` out; what a kernel borrows are parameters, `&[&str]`, and tuples and options in them, `&[(&str, f64)]`",
        ));
        self.inside_of(&ty)
    }
}

/// Whether a value of type `ty` is made anew where what it holds becomes that of the inside.
fn is_converted(ty: &Ty) -> bool {
    match ty {
        Ty::Vec(_) | Ty::Array(..) => true,
        Ty::Struct(fields) => {
            fields.name().is_none() || fields.as_option().is_some() || fields.as_fixed_array().is_some()
        }
        _ => false,
    }
}
