//! The front end in one call: from source to plain IR.

use proc_macro2::TokenStream;

use crate::diagnostic::Diagnostic;
use crate::infer::{infer, linear};
use crate::lower::{Lowered, lower};
use crate::syntax::{self, ast};

/// Lowers a program that is text, as `Program::parse` takes it.
///
/// ```
/// let lowered = weldment_core::front::from_text("|v: vec[i64]| sum(map(v, |x| x * x))").unwrap();
/// assert_eq!(lowered.program.bodies[lowered.program.entry.unwrap()].params.len(), 1);
/// ```
///
/// # Errors
/// The mistakes of the program, each with its place.
pub fn from_text(text: &str) -> Result<Lowered, Vec<Diagnostic>> {
    from_ast(&syntax::parse_text(text)?)
}

/// Lowers a program that is tokens, as `weld!` takes it.
///
/// # Errors
/// The mistakes of the program, each with its place.
///
/// ```
/// use weldment_core::front::{from_text, from_tokens};
/// let text = "|v: &[f64]| v.sum()";
/// let tokens = text.parse().unwrap(); // what a macro is given
/// assert_eq!(from_tokens(tokens).unwrap().program, from_text(text).unwrap().program);
/// ```
pub fn from_tokens(tokens: TokenStream) -> Result<Lowered, Vec<Diagnostic>> {
    from_ast(&syntax::parse_tokens(tokens)?)
}

/// Lowers a parsed program.
///
/// # Errors
/// The mistakes of the program, each with its place.
///
/// ```
/// use weldment_core::{front::from_ast, syntax::parse_text};
/// let lowered = from_ast(&parse_text("|x: i64| x + 1L").unwrap()).unwrap();
/// assert!(lowered.program.to_string().contains("add"));
/// ```
pub fn from_ast(program: &ast::Program) -> Result<Lowered, Vec<Diagnostic>> {
    let typed = infer(program)?;
    linear::check(&typed)?;
    let lowered = lower(&typed);
    Ok(Lowered { positions: lowered.positions.with_excerpts(program.excerpts.clone()), ..lowered })
}
