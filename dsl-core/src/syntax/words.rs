//! Words that cannot be names, and the advice for what people write out of habit.

use proc_macro2::Span;

use super::ast::Ident;
use super::input::{Input, Parsed};
use crate::diagnostic::{Code, Diagnostic};

/// Upstream Weld's keywords, sorted, and `i128`. They cannot be variables; those that are functions can be called.
#[rustfmt::skip]
pub(crate) const KEYWORDS: [&str; 60] = [
    "acos", "appender", "asin", "assert", "atan", "bool", "cos", "cosh", "cudf", "deserialize", "dict",
    "dictmerger", "erf", "exp", "f32", "f64", "false", "for", "groupmerger", "i128", "i16", "i32", "i64", "i8",
    "if", "iter", "iterate", "keyexists", "len", "let", "log", "lookup", "macro", "max", "merge",
    "merger", "min", "optlookup", "pow", "rangeiter", "result", "select", "serialize", "sin", "sinh",
    "slice", "sort", "sqrt", "tan", "tanh", "tovec", "true", "type", "u16", "u32", "u64", "u8", "vec",
    "vecmerger", "zip",
];

/// Upstream Weld's words that mean nothing here: what it vectorises by hand with, and iteration over dimensions.
const UNSUPPORTED: &[&str] = &["simd", "simditer", "fringeiter", "nditer"];

/// Rust's words that cannot be names either: the grammar uses them, or they get an error of their own.
const RUST_WORDS: &[&str] =
    &["as", "const", "else", "fn", "impl", "in", "loop", "match", "move", "mut", "return", "while"];

/// Whether `word` is one of upstream Weld's keywords.
pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

/// A new name: of a variable, a macro, a macro's parameter or an alias.
pub(super) fn new_name(input: &mut Input<'_>) -> Parsed<Ident> {
    let Some((word, span)) = input.word() else { return Err(input.unexpected("a name")) };
    if is_keyword(&word) || UNSUPPORTED.contains(&word.as_str()) {
        let message = format!("`{word}` is a keyword of Weld and cannot be a name");
        return Err(Diagnostic::new(Code::KeywordAsName, span, message)
            .help(format!("use another one, such as `{word}_`")));
    }
    if is_structural(&word) {
        return Err(input.unexpected("a name"));
    }
    input.skip();
    Ok(ident(word, span))
}

/// A name that may be a keyword: of a method, a symbol, or a macro of the prelude.
pub(super) fn any_name(input: &mut Input<'_>) -> Parsed<Ident> {
    let Some((word, span)) = input.take_any_word() else { return Err(input.unexpected("a name")) };
    Ok(ident(word, span))
}

/// A name as it stands in the user's text.
pub(super) fn ident(word: String, span: Span) -> Ident {
    let name = word.strip_prefix("r#").map(str::to_string).unwrap_or(word);
    Ident { name, mark: 0, span }
}

/// The error for something that is not part of the language but of Rust or of upstream Weld, if the next token
/// is one.
pub(super) fn foreign(input: &Input<'_>) -> Option<Diagnostic> {
    let (code, what, advice) = if let Some((word, span)) = input.word() {
        if UNSUPPORTED.contains(&word.as_str()) {
            return Some(unsupported(&word, span));
        }
        foreign_word(&word)?
    } else if input.at_lifetime() {
        (Code::NoPlaceHere, "lifetimes are not written here", "leave the lifetime out")
    } else {
        foreign_symbol(input.symbol()?)?
    };
    Some(Diagnostic::new(code, input.span(), what).help(advice))
}

/// The code, what is wrong and what to write instead.
type Foreign = (Code, &'static str, &'static str);

fn foreign_word(word: &str) -> Option<Foreign> {
    let statement = |what, advice| Some((Code::NoStatements, what, advice));
    match word {
        "while" => statement("there is no `while`", ITERATE),
        "loop" => statement("there is no `loop`", ITERATE),
        "return" => statement(
            "there is no `return`",
            "the last expression is the value; choose with `if c { a } else { b }`",
        ),
        "mut" => Some((
            Code::NoMutation,
            "variables cannot be changed",
            "leave out `mut`, and bind each new value with `let`",
        )),
        "move" => {
            let what = "closures inside of a program read its variables by themselves";
            Some((Code::NoPlaceHere, what, "leave out `move`"))
        }
        "usize" => Some((Code::NoUsize, "there is no `usize`", I64)),
        "isize" => Some((Code::NoUsize, "there is no `isize`", I64)),
        _ => None,
    }
}

const ITERATE: &str = "write `iterate(initial, |state| {next, go_on})`, which runs at least once";

const I64: &str = "use i64: lengths and indices are i64";

fn foreign_symbol(symbol: &str) -> Option<Foreign> {
    Some(match symbol {
        "?" => (
            Code::NoStatements,
            "there is no `?` operator",
            "of an `Option`, `o.and_then(|x| …)` goes on where there is a value, and `o.or_fault()` ends the program where \
             there is none; a fault ends it by itself",
        ),
        "..=" | "..." => (Code::OpenRange, "ranges do not include their end", "write `a..b + 1`"),
        "#" => (Code::NoPlaceHere, "attributes and doc comments have no place here", ATTRIBUTES),
        _ => return None,
    })
}

const ATTRIBUTES: &str =
    "comments begin with `//`; `#[expect(…)]` and `#[warn(…)]` stand right before the program's closure";

/// Whether the symbol assigns in Rust.
pub(super) fn is_assignment(symbol: &str) -> bool {
    matches!(symbol, "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "^=" | "&=" | "|=" | "<<=" | ">>=")
}

/// Advice for an assignment where an expression has ended.
pub(super) const ASSIGNMENT: &str =
    "variables cannot be assigned to: bind a new one with `let`, or collect with a builder";

/// Advice for a `;` where an expression has ended.
pub(super) const SEMICOLON: &str =
    "only `let` and items such as `type` and `const` end with `;`, and an expression follows them";

/// Advice for a word or a symbol of another language where an expression has ended.
pub(super) fn operator_elsewhere(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "and" => "write `&&`",
        "or" => "write `||`",
        "is" => "write `==`, and of an `Option` `o.is_some()` or `o.is_none()`",
        "in" => "write `v.contains(x)`",
        "not" => "write `!v.contains(x)`",
        "=>" | "->" => "a function is written `|x| …`",
        _ => return None,
    })
}

/// Advice for a `{` where an expression has ended.
pub(super) const BLOCKS: &str = "a block stands only behind a closure's bars, `if c` and `else`; \
     a struct is `{a, b}`, `(a, b)` or, by a name with a capital letter, `Name { x: a, y: b }`";

/// Whether `word` belongs to Rust's half of the grammar and can never begin an expression.
pub(super) fn is_structural(word: &str) -> bool {
    word == "_" || RUST_WORDS.contains(&word)
}

/// The error for a keyword that is used as if it were a variable.
pub(super) fn keyword_as_value(word: &str, span: Span) -> Diagnostic {
    let message = format!("`{word}` is a keyword of Weld and cannot be a variable");
    let error = Diagnostic::new(Code::KeywordAsValue, span, message);
    match word {
        "vec" => error.help("a vector is written `[a, b]`"),
        "dict" => error.help("dictionaries are made by `to_dict`, `dictmerger` and `groupmerger`"),
        _ => error.help(format!("a call needs parentheses: `{word}(…)`")),
    }
}

fn unsupported(word: &str, span: Span) -> Diagnostic {
    if word == "nditer" {
        let message = "`nditer` is not supported: it goes through a vector by strides in several dimensions";
        return Diagnostic::new(Code::Dimensions, span, message).help(
            "over one dimension write `iter(v, start, end, stride)`; over two a loop in a loop that computes the index: \
             `for(rangeiter(0L, rows, 1L), b, |b, _, i| for(rangeiter(0L, columns, 1L), b, \
             |b, _, j| merge(b, lookup(v, start + i * row_stride + j * column_stride))))`",
        );
    }
    let message = format!("`{word}` is not supported: vectorising is the compiler's work");
    Diagnostic::new(Code::Vectorising, span, message).help("write the program for one element at a time")
}
