//! Patterns: what parameters and `let` bind.

use proc_macro2::Delimiter;

use super::ast::{Param, Pattern};
use super::input::{Input, Parsed};
use super::{matches, structs, types, words};
use crate::diagnostic::{Code, Diagnostic};

/// A name, `_`, `&pattern`, `(a, b)` or `Point { x, y }`.
pub(super) fn pattern(input: &mut Input<'_>) -> Parsed<Pattern> {
    input.deeper(nested)
}

fn nested(input: &mut Input<'_>) -> Parsed<Pattern> {
    if input.take("&").is_some() {
        return pattern(input);
    }
    if let Some(span) = input.take_word("_") {
        return Ok(Pattern::Ignore(span));
    }
    if input.at_word("Some") || input.at_word("None") {
        return Err(matches::refutable(input));
    }
    if let Some((mut inside, spans)) = input.enter(Delimiter::Parenthesis) {
        let first = pattern(&mut inside)?;
        if !inside.comma_or_end()? {
            return Ok(first);
        }
        let mut fields = vec![first];
        fields.extend(inside.list(pattern)?);
        return Ok(Pattern::Struct(fields, spans.open()));
    }
    if input.at_group(Delimiter::Brace) {
        let error = Diagnostic::new(Code::Expected, input.span(), "expected a pattern, found `{`");
        return Err(error.help("take a struct apart with `(a, b)`"));
    }
    let is_taken_apart =
        |input: &Input<'_>| structs::at_fields(input) || input.at_group(Delimiter::Parenthesis);
    if let Some(name) = structs::name(input, is_taken_apart) {
        return structs::taken_apart(input, name);
    }
    if input.word().is_none() {
        return Err(input.unexpected("a pattern"));
    }
    let name = words::new_name(input)?;
    if input.at_group(Delimiter::Brace) {
        let message = format!(
            "`{}` does not begin with a capital letter, and only such names take structs apart",
            name.name
        );
        let advice = format!("give it another name before the program: `type Name = {};`", name.name);
        return Err(Diagnostic::new(Code::Expected, name.span, message).help(advice));
    }
    Ok(Pattern::Name(name))
}

/// A closure's parameter.
pub(super) fn param(input: &mut Input<'_>) -> Parsed<Param> {
    let pattern = pattern(input)?;
    let ty = types::annotation(input, ":")?;
    Ok(Param { pattern, ty })
}
