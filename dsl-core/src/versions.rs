//! Versions of a program for some values of its parameters, which its text names: `#[versions(n = [3, 5])]`. Each is the program with constants in
//! place of these parameters, see [`constants`](crate::constants), and beside them there is the program as it is.
//!
//! This is function versioning, or multi-versioning, of compilers. A kernel chooses between its versions when it is called. To a program that is
//! text the parameters are as if they were declared `const`.

use weldment_runtime::lang::scalar::{Const, largest, smallest};
use weldment_runtime::lang::types::{Scalar, Size, Type};
use weldment_runtime::lang::value::Value;

use crate::constants::Constant;
use crate::diagnostic::{Code, Diagnostic, nearest, out_of_range};
use crate::lower::Lowered;
use crate::syntax::ast::{Expr, ExprKind, Program, Versions};

/// How many versions of one program there are at most.
const MOST: usize = 16;

/// The versions that `program` asks for, which was `lowered`: the constants of each.
///
/// # Errors
/// A parameter that there is none of, that is captured, or that is neither an integer nor a bool; a value that is none of its type, or stands
/// there twice; too many of them.
pub(crate) fn of(program: &Program, lowered: &mut Lowered) -> Result<Vec<Vec<Constant>>, Vec<Diagnostic>> {
    let asked = &program.attributes.versions;
    let mut of_params = Vec::new();
    let mut errors = Vec::new();
    for versions in asked {
        match of_param(versions, program.outside.len(), lowered) {
            Ok(constants) => of_params.push(constants),
            Err(error) => errors.push(error),
        }
    }
    let count = of_params.iter().map(Vec::len).try_fold(1, usize::checked_mul);
    if let Some(last) = asked.last()
        && errors.is_empty()
        && count.is_none_or(|count| count > MOST)
    {
        let count = count.map_or_else(|| "more".to_owned(), |count| count.to_string());
        let message = format!("there are {MOST} versions of a program at most, and these are {count}");
        errors.push(Diagnostic::new(Code::Constant, last.param.span, message).help(
            "name fewer values: there is one for each combination, and other values run the program as it is",
        ));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    for constants in &of_params {
        lowered.positions.want(constants[0].param);
    }
    if of_params.is_empty() {
        return Ok(Vec::new());
    }
    let one_more = |all: Vec<Vec<Constant>>, constants: Vec<Constant>| {
        let with = |known: &Vec<Constant>| {
            let known = known.clone();
            constants
                .iter()
                .map(move |constant| known.iter().cloned().chain([constant.clone()]).collect())
                .collect::<Vec<_>>()
        };
        all.iter().flat_map(with).collect()
    };
    Ok(of_params.into_iter().fold(vec![Vec::new()], one_more))
}

/// The constants that one parameter is.
fn of_param(versions: &Versions, outside: usize, lowered: &Lowered) -> Result<Vec<Constant>, Diagnostic> {
    let name = &versions.param;
    let Some((param, at)) = lowered.positions.param_named(&name.name) else {
        let message = format!("the program has no parameter `{}`", name.name);
        let error = Diagnostic::new(Code::UnknownName, name.span, message);
        return Err(match nearest(&name.name, lowered.positions.param_names()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => {
                let names: Vec<String> =
                    lowered.positions.param_names().map(|name| format!("`{name}`")).collect();
                error.help(match &names[..] {
                    [] => "it takes none that has a name".to_owned(),
                    names => format!("its parameters are {}", names.join(", ")),
                })
            }
        });
    };
    if param < outside {
        let message = format!("`{}` comes from the Rust around the program, and has no versions", name.name);
        return Err(Diagnostic::new(Code::Constant, name.span, message).help("make it a parameter"));
    }
    let ty =
        lowered.program.ty(lowered.program.bodies[lowered.program.entry.expect("an entry")].params[param]);
    let size = ty.as_size();
    let is_size = size.is_some();
    let scalar = match ty.as_scalar() {
        Some(scalar) if !scalar.is_float() => scalar,
        None if is_size => Scalar::I64,
        _ => {
            let message =
                format!("`{}` is of type {ty}, and there are versions of integers and bools", name.name);
            return Err(Diagnostic::new(Code::Constant, name.span, message)
                .help("a length is a parameter of its own, or known where its array is a `[T; N]`"));
        }
    };
    let mut constants: Vec<Constant> = Vec::new();
    for written in &versions.values {
        let constant = Value::from(constant(written, scalar, &name.name)?);
        if let (Some(Size::Usize), Some(number)) = (size, constant.as_integer().filter(|&number| number < 0))
        {
            let message = format!("`{number}` is out of range for `usize`");
            return Err(Diagnostic::new(Code::OutOfRange, written.span, message)
                .help(format!("`{}` is never negative: leave this version out", name.name)));
        }
        let value = if is_size { Value::structure(vec![constant]) } else { constant };
        if constants.iter().any(|other| other.value.same_bits(&value)) {
            let message = format!("this version of `{}` is named twice", name.name);
            return Err(Diagnostic::new(Code::ClaimedTwice, written.span, message).help("leave it out"));
        }
        constants.push(Constant { param, name: name.name.clone(), value, at });
    }
    Ok(constants)
}

/// The constant of type `scalar` that is `written`.
fn constant(written: &Expr, scalar: Scalar, name: &str) -> Result<Const, Diagnostic> {
    let (number, own) = match written.kind {
        ExprKind::Integer(number) => (Some(number), None),
        ExprKind::Const(constant) => (constant.as_integer(), Some(constant.scalar())),
        _ => (None, None),
    };
    let is_bool = own == Some(Scalar::Bool);
    match number {
        Some(number) if is_bool == (scalar == Scalar::Bool) && own.is_none_or(|own| own == scalar) => {
            let bound = |bound: fn(Scalar) -> Const| bound(scalar).as_integer();
            let fits = bound(smallest) <= Some(number) && Some(number) <= bound(largest);
            fits.then(|| Const::from_i128(scalar, number))
                .ok_or_else(|| out_of_range(&number.to_string(), scalar, written.span))
        }
        _ => {
            let found =
                own.map_or_else(|| "an integer".to_owned(), |own| format!("of type {}", Type::from(own)));
            let message = format!("`{name}` is of type {}, and this is {found}", Type::from(scalar));
            Err(Diagnostic::new(Code::Constant, written.span, message).help(match scalar {
                Scalar::Bool => "its values are `true` and `false`",
                _ => "its values are integers; leave out their type",
            }))
        }
    }
}
