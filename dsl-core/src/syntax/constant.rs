//! Constants by path: `f64::MAX`, `i64::MIN`, `std::f64::consts::PI`; `T::MAX` of an alias waits until names are resolved.

use proc_macro2::{Delimiter, Span};
use weldment_runtime::lang::scalar::{self, Const};
use weldment_runtime::lang::types::Scalar;

use super::ast::{Expr, ExprKind};
use super::input::{Input, Parsed};
use super::words;
use crate::diagnostic::{Code, Diagnostic};

/// What a float type offers, and what stands in its module `consts`.
macro_rules! float_constants {
    ($($name:ident)*; $($consts:ident)*) => {
        const FLOAT_NAMES: &[&str] = &[$(concat!("`", stringify!($name), "`"),)*];

        /// Every constant that a float type offers, as the reference has to name it.
        #[cfg(test)]
        pub(crate) const FLOAT_CONSTANTS: &[&str] = &[
            $(concat!("`", stringify!($name), "`"),)* $(concat!("`", stringify!($consts), "`"),)*
        ];

        fn float_constant(scalar: Scalar, name: &str) -> Option<Const> {
            $(if name == stringify!($name) {
                return Some(if scalar == Scalar::F32 { Const::F32(f32::$name) } else { Const::F64(f64::$name) });
            })*
            $(if name == concat!("consts::", stringify!($consts)) {
                return Some(if scalar == Scalar::F32 {
                    Const::F32(std::f32::consts::$consts)
                } else {
                    Const::F64(std::f64::consts::$consts)
                });
            })*
            None
        }
    };
}

float_constants! {
    MAX MIN INFINITY NEG_INFINITY NAN EPSILON MIN_POSITIVE;
    PI TAU E LN_2 LN_10 LOG2_E LOG2_10 LOG10_E LOG10_2 SQRT_2 FRAC_1_SQRT_2
    FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6 FRAC_PI_8 FRAC_1_PI FRAC_2_PI FRAC_2_SQRT_PI
}

/// What follows a scalar type's name: `::MAX`.
pub(super) fn constant(input: &mut Input<'_>, scalar: Scalar, span: Span) -> Parsed<Expr> {
    let names = names(input)?;
    let constant = of_scalar(scalar, &names.join("::"), input.at_group(Delimiter::Parenthesis), span)?;
    Ok(Expr { kind: ExprKind::Const(constant), span })
}

/// What follows a name that begins a path: `::f64::consts::PI` after `std`.
pub(super) fn path(input: &mut Input<'_>, first: &str, span: Span) -> Parsed<Expr> {
    let names = names(input)?;
    if first != "std" && first != "core" {
        return Ok(Expr {
            kind: ExprKind::Path(words::ident(first.to_string(), span), names.join("::")),
            span,
        });
    }
    let Some(scalar) = Scalar::from_name(&names[0]).filter(|_| names.len() > 1) else {
        return Err(unknown(first, &names.join("::"), None, span));
    };
    let is_call = input.at_group(Delimiter::Parenthesis);
    let constant = of_scalar(scalar, &names[1..].join("::"), is_call, span)?;
    Ok(Expr { kind: ExprKind::Const(constant), span })
}

/// The error of a path that names nothing, but may have been meant to be the one `near`.
pub(crate) fn unknown(first: &str, path: &str, near: Option<&str>, span: Span) -> Diagnostic {
    let error =
        Diagnostic::new(Code::UnknownPath, span, format!("there is nothing called `{first}::{path}`"));
    if let Some(near) = near {
        return error.help(format!("did you mean `{near}`?"));
    }
    error.help("paths are those of constants, such as `f64::MAX`, and of functions and structs of Rust, which only `weld!` finds")
}

/// `::a::b`, at least one of them.
fn names(input: &mut Input<'_>) -> Parsed<Vec<String>> {
    let mut names = Vec::new();
    while input.take("::").is_some() {
        let Some((name, _)) = input.take_any_word() else { return Err(input.unexpected("a name")) };
        names.push(name);
    }
    Ok(names)
}

/// The constant `name` of `scalar`; the error says another thing of what `is_call`.
pub(crate) fn of_scalar(scalar: Scalar, name: &str, is_call: bool, span: Span) -> Parsed<Const> {
    let found = match name {
        _ if scalar.is_float() => float_constant(scalar, name),
        "MAX" if scalar.is_integer() => Some(scalar::largest(scalar)),
        "MIN" if scalar.is_integer() => Some(scalar::smallest(scalar)),
        _ => None,
    };
    if let Some(constant) = found {
        return Ok(constant);
    }
    let error =
        Diagnostic::new(Code::UnknownPath, span, format!("there is nothing called `{scalar}::{name}`"));
    Err(if is_call {
        error.help(format!("functions stand alone: `{name}(…)`; a cast is `{scalar}(x)`"))
    } else if scalar.is_float() && float_constant(scalar, &format!("consts::{name}")).is_some() {
        error.help(format!("write `{scalar}::consts::{name}`"))
    } else if scalar.is_float() {
        error.help(format!("there are {}, and `consts::PI` and the like", FLOAT_NAMES.join(", ")))
    } else if scalar == Scalar::Bool {
        error.help("the values of `bool` are `true` and `false`")
    } else {
        error.help(format!("there are `{scalar}::MIN` and `{scalar}::MAX`"))
    })
}
