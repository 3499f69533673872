//! Operands without what stands before and behind them.

use proc_macro2::{Delimiter, Span};
use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::types::Scalar;

use super::ast::{self, Expr, ExprKind, Type, TypeKind};
use super::expr::expression;
use super::input::{Input, Parsed};
use super::postfix::{argument, ranges, turbofish};
use super::{builder, constant, control, literal, matches, names, structs, types, words};
use crate::diagnostic::{Code, Diagnostic};

/// A literal, a name, a call, something in brackets, or a construct that begins with a word.
pub(super) fn primary(input: &mut Input<'_>) -> Parsed<Expr> {
    if let Some(mut inside) = input.enter_invisible() {
        let expr = expression(&mut inside)?;
        inside.expect_end()?;
        return Ok(expr);
    }
    if let Some(literal) = input.take_literal() {
        return literal::literal(&literal);
    }
    if let Some((inside, spans)) = input.enter(Delimiter::Parenthesis) {
        return parenthesised(inside, spans.open());
    }
    if let Some((inside, spans)) = input.enter(Delimiter::Brace) {
        let fields = non_empty(inside)?;
        return Ok(Expr { kind: ExprKind::Struct(fields), span: spans.open() });
    }
    if let Some((inside, spans)) = input.enter(Delimiter::Bracket) {
        return vector(inside, spans.open());
    }
    match input.word() {
        Some((word, span)) => worded(input, &word, span),
        None if input.at("::") => path(input, "", input.span()),
        None => Err(not_an_operand(input)),
    }
}

fn not_an_operand(input: &Input<'_>) -> Diagnostic {
    let error = |code, message: &str| Diagnostic::new(code, input.span(), message);
    if input.at("|") {
        return error(Code::NeedsParentheses, "a closure needs parentheses here").help("write `(|a| …)`");
    }
    if input.at_symbol("..") {
        return error(Code::OpenRange, "a range needs a start").help("write `0..n`");
    }
    let error = input.unexpected("an expression");
    let mut next = input.clone();
    if next.take(".").is_some() && next.take_literal().is_some() {
        return error.help("a number begins with a digit: `0.5`");
    }
    error
}

/// `(a)`, which is a; or `(a, b)`.
fn parenthesised(mut inside: Input<'_>, span: Span) -> Parsed<Expr> {
    let first = expression(&mut inside)?;
    if !inside.comma_or_end()? {
        return Ok(first);
    }
    let mut fields = vec![first];
    fields.extend(inside.list(expression)?);
    Ok(Expr { kind: ExprKind::Struct(fields), span })
}

fn non_empty(inside: Input<'_>) -> Parsed<Vec<Expr>> {
    if inside.is_end() {
        return Err(inside.unexpected("an expression"));
    }
    inside.list(expression)
}

fn vector(mut inside: Input<'_>, span: Span) -> Parsed<Expr> {
    let mut elements = Vec::new();
    while !inside.is_end() {
        elements.push(expression(&mut inside)?);
        if inside.at_symbol(";") {
            let error = Diagnostic::new(Code::NoFixedLength, inside.span(), "a vector lists its elements");
            return Err(error.help("`n` times `x` is `map(0..n, |_| x)`"));
        }
        inside.comma_or_end()?;
    }
    Ok(Expr { kind: ExprKind::Vector(elements), span })
}

/// An operand that begins with a word.
fn worded(input: &mut Input<'_>, word: &str, span: Span) -> Parsed<Expr> {
    if let Some(error) = words::foreign(input) {
        return Err(error);
    }
    if word == "match" {
        input.skip();
        return matches::match_expression(input, span);
    }
    if words::is_structural(word) {
        return Err(input.unexpected("an expression"));
    }
    input.skip();
    if let Some(scalar) = Scalar::from_name(word) {
        return scalar_word(input, scalar, span);
    }
    if let Some(kind) = ast::BuilderKind::from_name(word) {
        return builder::value(input, kind, span);
    }
    match word {
        "true" | "false" => Ok(Expr { kind: ExprKind::Const(Const::Bool(word == "true")), span }),
        "if" => control::if_expression(input, span),
        "for" => control::for_expression(input, span),
        "Some" => matches::some(input, span),
        "None" => Ok(Expr { kind: ExprKind::Option(None), span }),
        "let" => {
            let error = Diagnostic::new(Code::NeedsParentheses, span, "a `let` needs parentheses here");
            Err(error.help("write `(let a = …; b)`"))
        }
        "deserialize" => deserialize(input, span),
        "cudf" => cudf(input, span),
        "macro" | "type" => {
            let message = format!("`{word}` must stand before the program's closure");
            Err(Diagnostic::new(Code::LateItem, span, message)
                .help(format!("write `{word} … = …;` first, and then the closure")))
        }
        _ => name(input, word, span),
    }
}

/// `i64(x)`, or a constant such as `i64::MAX`.
fn scalar_word(input: &mut Input<'_>, scalar: Scalar, span: Span) -> Parsed<Expr> {
    if input.at("::") {
        return constant::constant(input, scalar, span);
    }
    let Some((mut inside, _)) = input.enter(Delimiter::Parenthesis) else {
        let error = Diagnostic::new(Code::KeywordAsValue, span, format!("`{scalar}` is a type, not a value"));
        return Err(error.help(format!("a cast is written `{scalar}(x)` or `x as {scalar}`")));
    };
    let value = expression(&mut inside)?;
    inside.expect_last()?;
    let ty = Type { kind: TypeKind::Scalar(scalar), span };
    Ok(Expr { kind: ExprKind::Cast(Box::new(value), ty), span })
}

/// A name or a call.
fn name(input: &mut Input<'_>, word: &str, span: Span) -> Parsed<Expr> {
    if let Some(name) = struct_name(input, word, span) {
        return named(input, name);
    }
    let mut ahead = input.clone();
    if word == "Fixed" && ahead.at("::") && types::at_scale(&ahead) {
        return fixed(input, span);
    }
    if ahead.take("::").is_some() && !ahead.at("<") {
        return path(input, word, span);
    }
    // As Rust writes it.
    let is_dbg = word == "dbg" && {
        let mut ahead = input.clone();
        ahead.take("!").is_some() && ahead.at_group(Delimiter::Parenthesis)
    };
    if is_dbg {
        input.take("!");
    }
    if input.at_symbol("!") {
        let error = Diagnostic::new(Code::MacroOfRust, span, "macros of Rust cannot be called here");
        let advice = match word {
            "vec" => "a vector is written `[a, b]`",
            "print" | "println" | "eprint" | "eprintln" => {
                "write `dbg(x)`: it is x, and shows it on stderr while the program runs"
            }
            "dbg" => "write `dbg(x)`",
            "assert" | "debug_assert" => "write `assert(c)`, a bool: `let _ = assert(c);`",
            "format" | "concat" => "join texts: `\"n = \" + n.to_string()`, and many by `texts.join(\", \")`",
            "matches" => "write `match x { … => true, _ => false }`",
            "panic" | "unreachable" | "todo" => "a fault that is meant is `assert(false)`",
            _ => "call functions: `name(…)`",
        };
        return Err(error.help(advice));
    }
    if word == "vec" || word == "dict" {
        return Err(words::keyword_as_value(word, span));
    }
    let name = words::ident(word.to_string(), span);
    let turbofish = turbofish(input)?;
    if let Some((mut inside, _)) = input.enter(Delimiter::Parenthesis) {
        let mut args = Vec::new();
        // The first argument says coordinates as brackets do.
        if word == "where_domain" {
            args.push(ranges(&mut inside)?);
            inside.comma_or_end()?;
        }
        args.extend(inside.list(argument)?);
        let args = args.into();
        return Ok(Expr { kind: ExprKind::Call { name, turbofish, args, is_method: false }, span });
    }
    if turbofish.is_some() {
        return Err(input.unexpected("`(`"));
    }
    if words::is_keyword(word) {
        return Err(words::keyword_as_value(word, span));
    }
    // As SQL and Python write it. Behind a variable of this name there is a word only in `not as i64` and in `0..not step 2`.
    if word == "not" && input.word().is_some_and(|(next, _)| next != "step" && !words::is_structural(&next)) {
        let error = Diagnostic::new(Code::Expected, span, "expected an expression, found `not`");
        return Err(error.help("write `!x`"));
    }
    Ok(Expr { kind: ExprKind::Name(name), span })
}

/// `Fixed::<2>("12.34")` or `Fixed::<2>::from(x)`, behind the word. The number is a part of the name.
fn fixed(input: &mut Input<'_>, span: Span) -> Parsed<Expr> {
    const FORM: &str =
        "a decimal number is written `Fixed::<2>(\"12.34\")`, and made of a number by `Fixed::<2>::from(x)`";
    let scale = types::scale_of(input)?;
    let mut name = names::of_fixed(scale);
    if input.take("::").is_some() {
        let rest = words::any_name(input)?;
        name = format!("{name}::{}", rest.name);
    }
    if !input.at_group(Delimiter::Parenthesis) {
        return Err(input.unexpected("`(`").help(FORM));
    }
    named(input, words::ident(name, span))
}

/// What follows the word that begins a path, or nothing in front of a path from the root: a constant, or the call of a function.
fn path(input: &mut Input<'_>, first: &str, span: Span) -> Parsed<Expr> {
    let path = constant::path(input, first, span)?;
    match &path.kind {
        ExprKind::Path(first, rest) if input.at_group(Delimiter::Parenthesis) => {
            named(input, ast::Ident { name: format!("{}::{rest}", first.name), ..first.clone() })
        }
        _ => Ok(path),
    }
}

/// The name of a struct, of which `word` is the first part, where a value of it is made.
fn struct_name(input: &mut Input<'_>, word: &str, span: Span) -> Option<ast::Ident> {
    let has_fields = |input: &Input<'_>| input.makes_structs() && structs::at_fields(input);
    structs::name_after(input, word, span, |input| {
        has_fields(input) || input.at_group(Delimiter::Parenthesis)
    })
}

/// What follows `Point` in `Point { x: a }`, or `Pair` in `Pair(a, b)`, which is a call until names are resolved, as is `shop::tax(a)`.
fn named(input: &mut Input<'_>, name: ast::Ident) -> Parsed<Expr> {
    let Some((inside, _)) = input.enter(Delimiter::Parenthesis) else { return structs::literal(input, name) };
    let (args, span) = (inside.list(argument)?.into(), name.span);
    Ok(Expr { kind: ExprKind::Call { name, turbofish: None, args, is_method: false }, span })
}

/// `[T](bytes)` or `::<T>(bytes)`
fn deserialize(input: &mut Input<'_>, span: Span) -> Parsed<Expr> {
    let ty = match turbofish(input)? {
        Some(ty) => *ty,
        None => {
            let [ty] = types::bracketed(input, "deserialize[T](bytes)")?;
            *ty
        }
    };
    let (mut inside, _) = input.expect_group(Delimiter::Parenthesis)?;
    let bytes = expression(&mut inside)?;
    inside.expect_last()?;
    Ok(Expr { kind: ExprKind::Deserialize(ty, Box::new(bytes)), span })
}

/// `[symbol, T](args)`, or `[path::symbol, T](args)`
fn cudf(input: &mut Input<'_>, span: Span) -> Parsed<Expr> {
    let (mut inside, _) = input.expect_group(Delimiter::Bracket)?;
    let form = "cudf[symbol, T](arguments)";
    let symbol = foreign_name(&mut inside)?;
    inside.comma_in(form)?;
    let ty = types::delimited(&mut inside)?;
    inside.last_in(form)?;
    let (inside, _) = input.expect_group(Delimiter::Parenthesis)?;
    let args = inside.list(expression)?;
    Ok(Expr { kind: ExprKind::Cudf { symbol, ty, args }, span })
}

/// `name`, or a path of names as one, with the place of its last: it is the function.
pub(super) fn foreign_name(input: &mut Input<'_>) -> Parsed<ast::Ident> {
    let mut path = String::new();
    loop {
        if input.take("::").is_some() {
            path.push_str("::");
        }
        let name = words::any_name(input)?;
        path.push_str(&name.name);
        if !input.at("::") {
            return Ok(ast::Ident { name: path, ..name });
        }
    }
}
