//! Builders: as new values, and as types.

use proc_macro2::{Delimiter, Span};

use super::ast::{Builder, BuilderKind, BuilderType, Expr, ExprKind, Start, Type, TypeKind, Under};
use super::expr::expression;
use super::input::{Input, Parsed};
use super::types::{brackets, delimited, operator};
use crate::diagnostic::{Code, Diagnostic};

/// The type of a builder, after its name.
pub(super) fn ty(input: &mut Input<'_>, kind: BuilderKind) -> Parsed<BuilderType> {
    let row = kind.row();
    if row.start == Start::Size && !input.at_group(Delimiter::Bracket) {
        let value = Type { kind: TypeKind::Infer, span: input.span() };
        return Ok(BuilderType { kind, key: None, value, op: None });
    }
    let mut inside = brackets(input, row.form)?;
    let key = match row.under {
        Under::Key => {
            let key = delimited(&mut inside)?;
            inside.comma_in(row.form)?;
            Some(key)
        }
        Under::Nothing | Under::Index => None,
    };
    let value = delimited(&mut inside)?;
    let op = match row.has_op {
        true => {
            inside.comma_in(row.form)?;
            Some(operator(&mut inside)?)
        }
        false => None,
    };
    inside.last_in(row.form)?;
    Ok(BuilderType { kind, key, value, op })
}

/// A new builder, after its name.
pub(super) fn value(input: &mut Input<'_>, kind: BuilderKind, span: Span) -> Parsed<Expr> {
    let ty = ty(input, kind)?;
    let init = match kind.row().start {
        Start::Nothing => {
            no_argument(input, kind.name())?;
            None
        }
        Start::Size | Start::Initial => argument(input)?,
        Start::Vector => match argument(input)? {
            None => {
                let wanted = format!("`(` and the vector that `{}` starts with", kind.name());
                return Err(input.unexpected(&wanted));
            }
            init => init,
        },
    };
    Ok(Expr { kind: ExprKind::Builder(Builder { ty, init }), span })
}

/// `(expr)`, if it is there.
fn argument(input: &mut Input<'_>) -> Parsed<Option<Box<Expr>>> {
    let Some((mut inside, _)) = input.enter(Delimiter::Parenthesis) else { return Ok(None) };
    let value = expression(&mut inside)?;
    inside.expect_last()?;
    Ok(Some(Box::new(value)))
}

fn no_argument(input: &Input<'_>, name: &str) -> Parsed<()> {
    if !input.at_group(Delimiter::Parenthesis) {
        return Ok(());
    }
    let message = format!("`{name}` takes no initial value");
    Err(Diagnostic::new(Code::NoInitialValue, input.span(), message)
        .help("merge the initial entries into it"))
}
