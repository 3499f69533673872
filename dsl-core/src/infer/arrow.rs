//! Columns as Arrow has them: what a program has in their place, and how it becomes that and one of them again.
//!
//! | outside | inside | made of |
//! |---|---|---|
//! | `Strings` | `vec[str]` | offsets, bytes |
//! | `Nullable<T>` | `vec[option[T]]` | values, bits, the number of the first bit |
//!
//! A column goes in as the `map` of what it is made of, which reads bytes, values and bits where they lie, and fuses with what reads it. It comes out as
//! the vectors that it is made of, each written once.

use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::types::{Column, Scalar};

use super::condition::Check;
use super::ty::Ty;
use super::typed::{Expr, ExprKind};
use super::{Infer, Typed, quoted};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Ident};
use crate::syntax::names;

/// What a column is made of, by number, is called inside of the compiler.
const PARTS: [&str; 3] = ["column_part_0", "column_part_1", "column_part_2"];

/// What makes a column of what it is made of is called there.
const STRINGS_OF_PARTS: &str = "strings_of_parts";
const NULLABLE_OF_PARTS: &str = "nullable_of_parts";

impl Infer<'_> {
    /// The type that the name of a column means here, with these arguments; `None` if it is no such name.
    pub(super) fn column_type(&mut self, name: &Ident, args: &[ast::Type]) -> Option<Ty> {
        let of = names::column(&name.name)?;
        let is_strings = of == Column::STRINGS;
        if args.len() > 1 || args.is_empty() && !is_strings {
            let form =
                if is_strings { "`Strings`, or `Strings<i32>`" } else { "`Nullable<f64>`, of a scalar type" };
            let message = format!("`{of}` takes one type, found {}", args.len());
            let error = Diagnostic::new(Code::ForeignType, name.span, message);
            self.errors.push(error.help(format!("write {form}")));
            return Some(self.unifier.error());
        }
        let arg = args.first().map(|arg| (self.ty(arg), arg.span));
        if !self.is_outside {
            let row = match arg {
                Some((value, span)) if !is_strings => {
                    self.require(Check::Optional(value.clone(), span));
                    Ty::option(value)
                }
                _ => Ty::text(),
            };
            return Some(Ty::vec(row));
        }
        self.has_border = true;
        let Some((arg, span)) = arg else { return Some(Ty::column(Column::Strings(Scalar::I64))) };
        let column = match self.unifier.shallow(&arg) {
            Ty::Scalar(scalar) if !is_strings => Column::Nullable(scalar),
            Ty::Scalar(offset @ (Scalar::I32 | Scalar::I64)) => Column::Strings(offset),
            other => {
                if !self.unifier.is_error(&other) {
                    self.errors.push(self.no_argument(is_strings, &other, span));
                }
                return Some(self.unifier.error());
            }
        };
        Some(Ty::column(column))
    }

    /// The error of an argument of a column that is none.
    fn no_argument(&self, is_strings: bool, found: &Ty, span: Span) -> Diagnostic {
        let shown = self.unifier.show(found);
        if is_strings {
            let message = format!("the offsets of `Strings` are `i32` or `i64`, found `{shown}`");
            return Diagnostic::new(Code::ForeignType, span, message)
                .help("write `Strings`, whose offsets are `i64`, or `Strings<i32>`");
        }
        let message = format!("the values of a `Nullable` are scalars, found `{shown}`");
        Diagnostic::new(Code::ForeignType, span, message).help(format!(
            "take a slice of options, `&[Option<{}>]`",
            if found.is_text() { "&str" } else { &shown }
        ))
    }

    /// Refuses a column inside of the type of a parameter, or of a result, which may be a tuple of columns.
    pub(super) fn check_columns_inside(&mut self, ty: &Ty, is_result: bool, span: Span) {
        let of = match self.unifier.shallow(ty) {
            Ty::Struct(fields) if is_result && fields.name().is_none() => {
                return fields.iter().for_each(|field| self.check_columns_inside(field, true, span));
            }
            ty if let Some(column) = ty.as_column() => {
                if is_result && column == Column::Strings(Scalar::I32) {
                    let message =
                        "the offsets of a result are of type i64, for there may be any number of bytes";
                    let error = Diagnostic::new(Code::ForeignType, span, message);
                    self.errors.push(error.help("write `Strings`"));
                }
                return;
            }
            ty => ty.parts().find_map(|part| self.column_in(part)),
        };
        let Some(column) = of else { return };
        let (message, help) = if is_result {
            (
                format!(
                    "`{column}` is a result, or a field of a tuple that is one, and no part of another type"
                ),
                format!("give it beside the others, `({column}, f64)`"),
            )
        } else {
            (
                format!("`{column}` is a parameter by itself, and no part of one"),
                format!("take it as a parameter of its own, `column: &{column}`"),
            )
        };
        self.errors.push(Diagnostic::new(Code::ForeignType, span, message).help(help));
    }

    /// `ty`, of a field of a struct, which is no column.
    pub(super) fn no_column(&mut self, ty: Ty, span: Span) -> Ty {
        let Some(column) = self.column_in(&ty) else { return ty };
        let message = format!("`{column}` is a parameter or a result, and no field of a struct");
        self.errors.push(Diagnostic::new(Code::ForeignType, span, message).help(format!(
            "take it as a parameter of its own, `column: &{column}`; a struct has a `{}`",
            self.unifier.show(&Ty::vec(Ty::from(&column.row())))
        )));
        self.unifier.error()
    }

    fn column_in(&self, ty: &Ty) -> Option<Column> {
        let ty = self.unifier.shallow(ty);
        if !self.has_border {
            return None;
        }
        ty.as_column().or_else(|| ty.parts().find_map(|part| self.column_in(part)))
    }

    /// The syntax of the rows of `value`, a column.
    pub(super) fn rows_of_column(&self, value: &ast::Expr, column: Column, mark: u32) -> ast::Expr {
        let span = value.span;
        let part = |name: &&str| quoted::call(name, vec![value.clone()], mark, span);
        let parts = PARTS[..column.parts().len()].iter().map(part).collect();
        let rows = if matches!(column, Column::Strings(_)) { "texts_of_column" } else { "options_of_column" };
        quoted::call(rows, parts, mark, span)
    }

    /// The syntax of a column, of the vector `rows`.
    pub(super) fn column_of_rows(&self, rows: ast::Expr, column: Column, mark: u32) -> ast::Expr {
        let span = rows.span;
        let constant = |constant: Const| ast::Expr { kind: ast::ExprKind::Const(constant), span };
        match column {
            Column::Strings(_) => quoted::call("column_of_texts", vec![rows], mark, span),
            Column::Nullable(value) => {
                let zero = constant(Const::from_i128(value, 0));
                quoted::call("column_of_options", vec![rows, zero], mark, span)
            }
        }
    }

    /// What `name` is of a column, or of what it is made of; `None` if it is none of the names in this file.
    pub(super) fn column_call(&mut self, name: &Ident, args: &Rc<[ast::Expr]>) -> Typed<Option<Expr>> {
        if self.is_users(name) {
            return Ok(None);
        }
        let span = name.span;
        if let (Some(number), [of]) = (PARTS.iter().position(|part| *part == name.name), &args[..]) {
            let of = Box::new(self.expr(of));
            let Ty::Struct(parts) = self.unifier.shallow(&of.ty) else {
                unreachable!("a column is a struct")
            };
            let ty = parts[number].clone();
            return Ok(Some(Expr { kind: ExprKind::Field(of, number as u32), ty, span }));
        }
        if ![STRINGS_OF_PARTS, NULLABLE_OF_PARTS].contains(&name.name.as_str()) {
            return Ok(None);
        }
        let parts: Vec<Expr> = args.iter().map(|part| self.expr(part)).collect();
        let column = match self.unifier.shallow(&parts[0].ty) {
            Ty::Vec(element) if name.name == NULLABLE_OF_PARTS => match self.unifier.shallow(&element) {
                Ty::Scalar(value) => Column::Nullable(value),
                _ => unreachable!("the values of a column are scalars"),
            },
            _ => Column::Strings(Scalar::I64),
        };
        for (part, ty) in parts.iter().zip(column.parts()) {
            self.expect(part, &Ty::from(&ty))?;
        }
        Ok(Some(Expr { kind: ExprKind::Struct(parts), ty: Ty::column(column), span }))
    }
}
