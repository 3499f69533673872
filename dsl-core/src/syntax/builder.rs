//! Builders: as new values, and as types.

use proc_macro2::{Delimiter, Span};

use super::ast::{Builder, Expr, ExprKind, Type, TypeKind};
use super::expr::expression;
use super::input::{Input, Parsed};
use super::types::{bracketed, bracketed_with_op};
use crate::diagnostic::{Code, Diagnostic};

/// The type of a builder, after its name.
pub(super) fn ty(input: &mut Input<'_>, name: &str) -> Parsed<TypeKind> {
    Ok(match name {
        "appender" => TypeKind::Appender(Box::new(appended(input)?)),
        "merger" => {
            let ([value], op) = bracketed_with_op(input, "merger[T, op]")?;
            TypeKind::Merger(value, op)
        }
        "dictmerger" => {
            let ([key, value], op) = bracketed_with_op(input, "dictmerger[K, V, op]")?;
            TypeKind::DictMerger(key, value, op)
        }
        "groupmerger" => {
            let [key, value] = bracketed(input, "groupmerger[K, V]")?;
            TypeKind::GroupMerger(key, value)
        }
        _ => {
            let ([value], op) = bracketed_with_op(input, "vecmerger[T, op](vector)")?;
            TypeKind::VecMerger(value, op)
        }
    })
}

/// A new builder, after its name.
pub(super) fn value(input: &mut Input<'_>, name: &str, span: Span) -> Parsed<Expr> {
    let kind = ty(input, name)?;
    let builder = match kind {
        TypeKind::Appender(ty) => Builder::Appender { ty: *ty, hint: argument(input)? },
        TypeKind::Merger(ty, op) => Builder::Merger { ty: *ty, op, init: argument(input)? },
        TypeKind::DictMerger(key, value, op) => {
            no_argument(input, name)?;
            Builder::DictMerger { key: *key, value: *value, op }
        }
        TypeKind::GroupMerger(key, value) => {
            no_argument(input, name)?;
            Builder::GroupMerger { key: *key, value: *value }
        }
        TypeKind::VecMerger(ty, op) => match argument(input)? {
            Some(init) => Builder::VecMerger { ty: *ty, op, init },
            None => return Err(input.unexpected("`(` and the vector that `vecmerger` starts with")),
        },
        _ => unreachable!("`ty` gives types of builders"),
    };
    Ok(Expr { kind: ExprKind::Builder(builder), span })
}

/// The element type of an appender, which may be left out.
fn appended(input: &mut Input<'_>) -> Parsed<Type> {
    if input.at_group(Delimiter::Bracket) {
        let [element] = bracketed(input, "appender[T]")?;
        return Ok(*element);
    }
    Ok(Type { kind: TypeKind::Infer, span: input.span() })
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
