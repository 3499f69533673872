//! What calls look like: the arguments of functions, and the form that errors quote.

use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Expr, ExprKind, Ident, Macro};

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

/// The error of a zip of no vectors.
pub(super) fn nothing_to_zip(name: &Ident) -> Diagnostic {
    let message = "`zip` takes at least 1 argument, found 0";
    Diagnostic::new(Code::ArgumentCount, name.span, message).help("the form is `zip(a, b)`")
}

/// What means nothing here when it is called with one argument: `.iter()`, `.copied()`, `.collect()`, `iter(v)`.
pub(super) const TRANSPARENT: [&str; 6] = ["iter", "into_iter", "copied", "cloned", "collect", "to_vec"];

/// Whether a call means nothing here.
pub(super) fn is_transparent(name: &Ident, args: &[Expr]) -> bool {
    args.len() == 1 && TRANSPARENT.contains(&name.name.as_str())
}

/// What an expression is without the methods that mean nothing here, `.iter()` and `.copied()`, and what stands in the place of
/// a parameter.
pub(super) fn strip(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Call { name, args, .. } if is_transparent(name, args) => strip(&args[0]),
        ExprKind::Argument(args, at) => strip(&args[*at]),
        _ => expr,
    }
}

/// The fields of a struct as it is written, or the expression alone.
pub(super) fn several(expr: &Expr) -> &[Expr] {
    match &expr.kind {
        ExprKind::Struct(several) => several,
        _ => std::slice::from_ref(expr),
    }
}

/// Whether a number is written here of so few elements that each is read by itself, and not as one of a slice.
pub(super) fn is_few(number: &Expr) -> bool {
    match &strip(number).kind {
        ExprKind::Integer(number) => (1..=8).contains(number),
        ExprKind::Const(number) => number.as_integer().is_some_and(|number| (1..=8).contains(&number)),
        _ => false,
    }
}

/// An array, as errors name it by its axes.
pub(super) fn of_axes(axes: usize) -> String {
    match axes {
        1 => "an array of 1 axis".to_owned(),
        axes => format!("an array of {axes} axes"),
    }
}

/// So many of what has this name.
pub(super) fn counted(number: usize, name: &str) -> String {
    if number == 1 { format!("1 {name}") } else { format!("{number} {name}s") }
}

/// How a value is taken out of an option.
pub(super) const TAKE_VALUE: &str = "take the value: `o.unwrap_or(x)` where there may be none, `o.or_fault()`, or `match o { Some(x) => …, None => … }`";
