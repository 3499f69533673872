//! Structs of columns: those that borrow, which come in as the parameters that they hold, and the rows of any.
//!
//! A parameter that is a struct with a lifetime, `s: &Sales`, is one parameter for each of its fields, and the struct is made of them
//! where the program begins: nothing behind inference knows of it but the caller's side, which takes it apart.

use std::rc::Rc;

use proc_macro2::Span;

use super::fields::{Fields, Named};
use super::ty::Ty;
use super::typed::{Expr, ExprKind, Local};
use super::{Infer, Typed, bind, quoted};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Ident, Origin, Pattern};

/// The word for the rows of a struct of columns.
pub(super) const ROWS: &str = "rows";

/// What a row of columns is called inside of the compiler: a struct of columns, of which only the type counts, and the elements.
const ROW: &str = "row_of_columns";

impl Infer<'_> {
    /// Binds a parameter of the program that is a struct that borrows: gives a variable for each field, and what is bound around the body.
    /// `None` if it is no such struct.
    pub(super) fn bind_lent(&mut self, pattern: &Pattern, ty: &Ty) -> Option<(Vec<Local>, Vec<bind::Part>)> {
        let fields = lent(ty)?.clone();
        let span = pattern.span();
        let of = if let Pattern::Name(name) = pattern { format!("{}.", name.name) } else { String::new() };
        let member = |number: usize| fields.name().and_then(|named| named.members.get(number).cloned());
        let params: Vec<Local> = fields
            .iter()
            .enumerate()
            .map(|(number, field)| {
                let name = format!("{of}{}", member(number).unwrap_or_default());
                self.local(&name, field.clone(), span)
            })
            .collect();
        let read = |(&local, ty): (&Local, &Ty)| Expr { kind: ExprKind::Local(local), ty: ty.clone(), span };
        let whole = ExprKind::Struct(params.iter().zip(fields.iter()).map(read).collect());
        let whole = Expr { kind: whole, ty: ty.clone(), span };
        let (local, parts) = self.bind_pattern(pattern, ty);
        Some((params, std::iter::once((local, whole)).chain(parts).collect()))
    }

    /// Refuses a struct that borrows inside of the type of a parameter, which is none itself.
    pub(super) fn check_lent_inside(&mut self, ty: &Ty, span: Span) {
        if let Some(named) = lent_inside(ty) {
            let message = format!("`{}` borrows, so that it is a parameter and no part of one", named.shown);
            let error = Diagnostic::new(Code::LentStruct, span, message);
            self.errors.push(error.help(
                "let the program take it alone; what is in vectors and tuples owns its data, `Vec<f64>`",
            ));
        }
    }

    /// `s.rows()`, of a struct of columns: the vector of the structs of their elements. `None` if that is not what `name` means.
    pub(super) fn rows_call(&mut self, name: &Ident, args: &Rc<[ast::Expr]>) -> Typed<Option<Expr>> {
        match (name.name.as_str(), &args[..]) {
            (ROWS, [of]) => self.rows(of, name.span),
            (ROW, [of, elements @ ..]) if !self.is_users(name) => Ok(Some(self.row(of, elements, name.span))),
            _ => Ok(None),
        }
    }

    fn rows(&mut self, of: &ast::Expr, span: Span) -> Typed<Option<Expr>> {
        let ty = self.peek(of).map(|ty| self.unifier.shallow(&ty));
        let Some(Ty::Struct(fields)) = ty.filter(is_users) else { return Ok(None) };
        let columns = self.columns(&fields);
        if columns.is_empty() {
            let shown = fields.name().map_or("", |named| &named.shown);
            let message = format!("`{shown}` has no columns: none of its fields is a vector");
            return Err(Diagnostic::new(Code::UnknownFunction, span, message)
                .help("rows are those of vectors of one length, `struct Sales<'a> { day: &'a [i32], price: &'a [f64] }`"));
        }
        let whole = self.expr(of);
        let mut named = self.named(span);
        let mark = self.scope.enter();
        let whole = named.name(self, whole);
        let column = |&number: &usize| {
            let kind = ast::ExprKind::Field(Box::new(whole.clone()), number as u32, ast::Spelling::Weld);
            ast::Expr { kind, span }
        };
        let zip = quoted::call("zip", columns.iter().map(column).collect(), named.mark, span);
        let names: Vec<Ident> = (0..columns.len()).map(|number| named.ident(&format!("e{number}"))).collect();
        let element = |name: &Ident| ast::Expr { kind: ast::ExprKind::Name(name.clone()), span };
        let elements = std::iter::once(whole.clone()).chain(names.iter().map(element));
        let row = quoted::call(ROW, elements.collect(), named.mark, span);
        let patterns: Vec<Pattern> = names.iter().cloned().map(Pattern::Name).collect();
        let pattern = match <[Pattern; 1]>::try_from(patterns) {
            Ok([pattern]) => pattern,
            Err(patterns) => Pattern::Struct(patterns, span),
        };
        let params = vec![ast::Param { pattern, ty: None }];
        let closure = ast::Closure { params, result: None, body: Box::new(row), span };
        let closure = ast::Expr { kind: ast::ExprKind::Closure(closure), span };
        let rows = self.expr(&quoted::call("map", vec![zip, closure], named.mark, span));
        self.scope.leave(mark);
        Ok(Some(bind::wrap(named.parts, rows)))
    }

    /// The struct of `elements`, one of each column of `of`, by the names of these.
    fn row(&mut self, of: &ast::Expr, elements: &[ast::Expr], span: Span) -> Expr {
        let of = self.expr(of);
        let Ty::Struct(columns) = self.unifier.shallow(&of.ty) else {
            unreachable!("rows are those of a struct")
        };
        let named = columns.name().expect("it has a name");
        let members = self.columns(&columns).iter().map(|&number| named.members[number].clone()).collect();
        let named = Named {
            name: format!("{} row", named.name),
            shown: format!("a row of {}", named.shown),
            args: named.args.clone(),
            members,
            variants: None,
            // To others it is the tuple of its fields.
            origin: Origin::Program,
        };
        let elements: Vec<Expr> = elements.iter().map(|element| self.expr(element)).collect();
        let types: Vec<Ty> = elements.iter().map(|element| element.ty.clone()).collect();
        let ty = Ty::Struct(Fields::named(types, named));
        Expr { kind: ExprKind::Struct(elements), ty, span }
    }

    /// Which fields are vectors.
    fn columns(&self, fields: &Fields) -> Vec<usize> {
        let is_column = |ty: &Ty| matches!(self.unifier.shallow(ty), Ty::Vec(_));
        (0..fields.len()).filter(|&number| is_column(&fields[number])).collect()
    }
}

/// The fields of a struct that borrows.
fn lent(ty: &Ty) -> Option<&Fields> {
    match ty {
        Ty::Struct(fields) => fields.name().filter(|named| named.origin == Origin::Lent).map(|_| fields),
        _ => None,
    }
}

/// The struct that borrows, of `ty` or inside of it.
pub(super) fn lent_inside(ty: &Ty) -> Option<&Named> {
    lent(ty).and_then(|fields| fields.name()).or_else(|| ty.parts().find_map(lent_inside))
}

/// Whether `ty` is a struct with names, and none of the language's.
fn is_users(ty: &Ty) -> bool {
    matches!(ty, Ty::Struct(fields) if fields.name().is_some_and(|named| named.origin != Origin::Language && named.variants.is_none()))
}
