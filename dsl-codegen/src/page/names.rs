//! What parameters are called.

use weldment_core::syntax::ast::Pattern;
use weldment_core::syntax::parse_text;

/// The names of the parameters; `argument 2` for one that is taken apart.
pub(super) fn of(source: &str) -> Vec<String> {
    let Ok(program) = parse_text(source) else { return Vec::new() };
    let name = |(number, pattern): (usize, &Pattern)| match pattern {
        Pattern::Name(name) => name.name.clone(),
        _ => argument(number),
    };
    program.closure.params.iter().map(|param| &param.pattern).enumerate().map(name).collect()
}

/// What a parameter without a name is called.
pub(super) fn argument(number: usize) -> String {
    format!("argument {}", number + 1)
}
