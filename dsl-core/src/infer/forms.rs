//! What calls look like: the number of arguments of every function, and the form that errors quote.

use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Ident, Macro};

/// The language's own functions and their arguments. Math functions have a table of their own, and sugar is
/// macros.
const BUILTINS: [(&str, &[&str]); 18] = [
    ("merge", &["builder", "value"]),
    ("result", &["builder"]),
    ("len", &["vector"]),
    ("lookup", &["vector", "index"]),
    ("slice", &["vector", "start", "size"]),
    ("select", &["condition", "then", "else"]),
    ("iterate", &["initial", "|state| {next, go_on}"]),
    ("sort", &["vector", "|a, b| compare(a, b)"]),
    ("reduce", &["v", "|a, b| …"]),
    ("fold", &["v", "initial", "|acc, x| …"]),
    ("compare", &["a", "b"]),
    ("tovec", &["dictionary"]),
    ("keyexists", &["dictionary", "key"]),
    ("optlookup", &["dictionary", "key"]),
    ("serialize", &["value"]),
    ("assert", &["condition"]),
    ("min", &["a", "b"]),
    ("max", &["a", "b"]),
];

/// The names of the language's own functions.
pub(super) fn builtins() -> impl Iterator<Item = &'static str> {
    BUILTINS.iter().map(|(name, _)| *name)
}

/// The arguments of the language's own function `name`, as errors name them.
pub(super) fn of_builtin(name: &str) -> Option<&'static [&'static str]> {
    BUILTINS.iter().find(|(builtin, _)| *builtin == name).map(|(_, args)| *args)
}

/// The arguments of a function of `arity` numbers.
pub(super) fn of_numbers(arity: usize) -> &'static [&'static str] {
    &["x", "y", "z"][..arity]
}

/// The arguments of a sugar; what is a function or an operator is told by the parameter's name.
pub(super) fn of_sugar(definition: &Macro) -> Vec<&str> {
    let form = |name| match name {
        "f" => "|x| …",
        "key" => "|x| key",
        "value" => "|x| value",
        "order" => "|a, b| compare(a, b)",
        "op" => "+",
        name => name,
    };
    definition.params.iter().map(|param| form(param.name.as_str())).collect()
}

/// The error of a call with more or fewer arguments than `args`. The receiver of a method is one of `found`.
pub(super) fn wrong_number(name: &Ident, found: usize, args: &[&str], is_method: bool) -> Diagnostic {
    let name_text = &name.name;
    let receiver = (is_method && !args.is_empty()) as usize;
    let wanted = args.len() - receiver;
    let arguments = if wanted == 1 { "1 argument".to_string() } else { format!("{wanted} arguments") };
    let message = format!("`{name_text}` takes {arguments}, found {}", found - receiver);
    let form = match args {
        [receiver, rest @ ..] if is_method => format!("{receiver}.{name_text}({})", rest.join(", ")),
        _ => format!("{name_text}({})", args.join(", ")),
    };
    Diagnostic::new(Code::ArgumentCount, name.span, message).help(format!("the form is `{form}`"))
}
