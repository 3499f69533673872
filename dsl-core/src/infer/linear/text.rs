//! How messages show the place where a builder was used or made.

use proc_macro2::Span;

use super::slot::Use;
use crate::diagnostic::position;
use crate::infer::typed::{Expr, ExprKind, Local, Program};

/// `line 4, column 12`
pub(super) fn line(span: Span) -> String {
    let place = position(span);
    format!("line {}, column {}", place.line, place.column)
}

/// `line 4, column 12: ` and the use in code.
pub(super) fn place(by: &Use) -> String {
    format!("{}: `{}`", line(by.at), by.text)
}

/// The outermost of `expr`, in one line: `merge(b, x)`.
pub(super) fn sketch(program: &Program, expr: &Expr) -> String {
    let short = |part: &Expr| short(program, part);
    match &expr.kind {
        ExprKind::Merge(builder, value) => format!("merge({}, {})", short(builder), short(value)),
        ExprKind::Result(builder) => format!("result({})", short(builder)),
        ExprKind::For { builder, .. } => format!("for(…, {}, …)", short(builder)),
        ExprKind::Iterate { init, .. } => format!("iterate({}, …)", short(init)),
        ExprKind::Struct(fields) => {
            format!("{{{}}}", fields.iter().map(short).collect::<Vec<_>>().join(", "))
        }
        _ => short(expr),
    }
}

/// A binding, in one line: `let c = b`.
pub(super) fn binding(program: &Program, local: Local, value: &Expr) -> String {
    format!("let {} = {}", program.locals[local].name, short(program, value))
}

/// A name, a field of one, or a number; `…` for everything else.
fn short(program: &Program, expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Local(local) => program.locals[*local].name.clone(),
        ExprKind::Integer(value) => value.to_string(),
        ExprKind::Field(of, index) => match short(program, of).as_str() {
            "…" => "…".to_owned(),
            of => format!("{of}.{index}"),
        },
        _ => "…".to_owned(),
    }
}
