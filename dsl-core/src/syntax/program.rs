//! Whole programs: items, attributes, captures, then a closure.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::buffer::TokenBuffer;

use super::ast::{Alias, ExprKind, Ident, Macro, Outside, Program, Spelling, Struct, Welded};
use super::attributes::attributes;
use super::expr::expression;
use super::input::{Input, Parsed, Seen};
use super::items::ConstantItem;
use super::{captures, enums, excerpts, externs, items, literal, structs, text, types, welded, words};
use crate::diagnostic::{Code, Diagnostic};

/// The program in `text`.
///
/// Spans of the tree and of the errors refer to proc-macro2's map of sources, where each text stays until
/// `proc_macro2::extra::invalidate_current_thread_spans` is called.
pub fn parse_text(text: &str) -> Result<Program, Vec<Diagnostic>> {
    parse_tokens(text::lex(text).map_err(|error| vec![error])?)
}

/// The program of these parameters, each a name and a type as text, whose body is the expression in `text`. All places are those in `text`.
pub fn parse_body(params: &[(String, String)], text: &str) -> Result<Program, Vec<Diagnostic>> {
    let head = head(params).map_err(|error| vec![error])?;
    behind(head, text::lex(text).map_err(|error| vec![error])?)
}

/// `|NAME: TYPE, …|`, which stands nowhere.
fn head(params: &[(String, String)]) -> Parsed<TokenStream> {
    for (name, _) in params {
        let tokens: Vec<TokenTree> = text::lex(name)?.into_iter().collect();
        if !matches!(&tokens[..], [TokenTree::Ident(_)]) {
            let message = format!("`{name}` is the name of a parameter, and no name of the language");
            return Err(Diagnostic::new(Code::Expected, Span::call_site(), message)
                .help("a name consists of letters, digits and `_`, and begins with no digit"));
        }
    }
    let params: Vec<String> = params.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
    text::lex(&format!("|{}|", params.join(", "))).map(without_places)
}

/// The program in `tokens`.
pub fn parse_tokens(tokens: TokenStream) -> Result<Program, Vec<Diagnostic>> {
    behind(TokenStream::new(), tokens)
}

/// The program that begins with `head` and goes on with `tokens`, which alone are the user's.
fn behind(head: TokenStream, tokens: TokenStream) -> Result<Program, Vec<Diagnostic>> {
    let whole: TokenStream = head.into_iter().chain(tokens.clone()).collect();
    let size = size(whole.clone());
    let (program, seen) = parse(whole, program).map_err(|error| vec![error])?;
    let spelling = spelling(tokens.clone()).unwrap_or_default();
    let warnings = match spelling {
        Spelling::Weld if !has_rust(tokens.clone()) => {
            seen.into_blocks_of_one().into_iter().map(block_of_one).collect()
        }
        _ => Vec::new(),
    };
    let excerpts = excerpts::of(tokens, &program);
    Ok(Program { spelling, excerpts, size, warnings, ..program })
}

/// The number of tokens.
fn size(tokens: TokenStream) -> usize {
    let of_token = |token| match token {
        TokenTree::Group(group) => 1 + size(group.stream()),
        _ => 1,
    };
    tokens.into_iter().map(of_token).sum()
}

/// The one text that both Weld and this language accept and that means something else here.
fn block_of_one(braces: Span) -> Diagnostic {
    let message = "braces around one expression, behind a closure's bars, are a block, and no struct";
    Diagnostic::new(Code::BlockOfOne, braces, message)
        .help("write `{x,}` for a struct of one field, and `x` for the value")
}

/// The spelling of the first type, literal or field that tells it.
fn spelling(tokens: TokenStream) -> Option<Spelling> {
    let mut before = String::new();
    let mut is_struct = false;
    for token in tokens {
        // Structs are Rust's in both.
        is_struct |= matches!(&token, TokenTree::Ident(word) if word == "struct");
        if is_struct {
            is_struct = !matches!(token, TokenTree::Group(_));
            continue;
        }
        let found = match &token {
            TokenTree::Group(group) => match (before.as_str(), group.delimiter()) {
                ("vec" | "dict", Delimiter::Bracket) => Some(Spelling::Weld),
                ("&", Delimiter::Bracket) => Some(Spelling::Rust),
                _ => spelling(group.stream()),
            },
            TokenTree::Punct(punct) if punct.as_char() == '<' => {
                matches!(before.as_str(), "Vec" | "Dict").then_some(Spelling::Rust)
            }
            TokenTree::Literal(number) => literal::is_of_weld(number).then_some(Spelling::Weld),
            TokenTree::Punct(punct) if punct.as_char() == '$' => Some(Spelling::Weld),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        before = match token {
            TokenTree::Ident(word) => word.to_string(),
            TokenTree::Punct(punct) => punct.to_string(),
            _ => String::new(),
        };
    }
    None
}

/// Whether anything in `tokens` is no Weld: a method, `x.0`, or `x as T`.
fn has_rust(tokens: TokenStream) -> bool {
    let mut is_behind_dot = false;
    tokens.into_iter().any(|token| {
        let found = match &token {
            TokenTree::Group(group) => has_rust(group.stream()),
            TokenTree::Ident(word) => is_behind_dot || word == "as",
            TokenTree::Literal(_) => is_behind_dot,
            TokenTree::Punct(_) => false,
        };
        is_behind_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
        found
    })
}

/// The items in `tokens`, which hold nothing but structs, and functions and constants that are `#[welded]`, which is not written
/// there.
pub fn parse_items(tokens: TokenStream) -> Result<(Vec<Struct>, Vec<Welded>), Vec<Diagnostic>> {
    let items = |input: &mut Input<'_>| {
        let (mut structs, mut welded) = (Vec::new(), Vec::new());
        while !input.is_end() {
            if input.take_word("struct").is_some() {
                structs.push(structs::item(input)?);
            } else if input.take_word("enum").is_some() {
                structs.push(enums::item(input)?);
            } else {
                welded.push(welded::told(input)?.ok_or_else(|| input.unexpected("an item"))?);
            }
        }
        Ok((structs, welded))
    };
    parse(tokens, items).map(|(items, _)| items).map_err(|error| vec![error])
}

/// The macro that a text of the prelude defines: one `macro` item, and nothing else.
///
/// Its spans are all those of the macro call, or of line 1 at run time: they outlive the map of sources, but
/// they mean nothing, so blame the user's call instead.
///
/// # Panics
/// If the text is wrong: a prelude is part of the compiler.
pub fn parse_prelude(text: &str) -> Macro {
    let item = |input: &mut Input<'_>| macro_item(input, words::any_name);
    let defined = text::lex(text).and_then(|tokens| parse(without_places(tokens), item));
    defined.map_or_else(|error| panic!("the prelude is wrong: {error}"), |(defined, _)| defined)
}

fn parse<T>(tokens: TokenStream, parse: impl FnOnce(&mut Input<'_>) -> Parsed<T>) -> Parsed<(T, Seen)> {
    let end = last_token(&tokens);
    let buffer = TokenBuffer::new2(tokens);
    let seen = Seen::default();
    let mut input = Input::whole(buffer.begin(), end, &seen);
    let result = parse(&mut input)?;
    input.expect_end()?;
    Ok((result, seen))
}

/// Where errors at the end of the program point.
fn last_token(tokens: &TokenStream) -> Span {
    match tokens.clone().into_iter().last() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::None => last_token(&group.stream()),
        Some(TokenTree::Group(group)) => group.span_close(),
        Some(token) => token.span(),
        None => Span::call_site(),
    }
}

fn without_places(tokens: TokenStream) -> TokenStream {
    let strip = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), without_places(group.stream())).into();
        }
        token.set_span(Span::call_site());
        token
    };
    tokens.into_iter().map(strip).collect()
}

fn program(input: &mut Input<'_>) -> Parsed<Program> {
    let (mut uses, mut structs) = (Vec::new(), Vec::new());
    let mut axes = Vec::new();
    let mut aliases = Vec::new();
    let mut macros = Vec::new();
    let (mut functions, mut constants) = (Vec::new(), Vec::new());
    let (mut foreign, mut outside) = (Vec::new(), Vec::new());
    loop {
        items::refuse_visibility(input)?;
        if input.take_word("use").is_some() {
            uses.extend(items::uses(input)?);
        } else if input.take_word("struct").is_some() {
            structs.push(structs::item(input)?);
        } else if input.take_word("enum").is_some() {
            structs.push(enums::item(input)?);
        } else if let Some(item) = welded::item(input)? {
            match item {
                Welded::Function(function) => functions.push(function),
                Welded::Constant(constant) => constants.push(constant),
            }
        } else if input.take_word("axis").is_some() {
            axes.push(words::new_name(input)?);
            input.expect(";")?;
        } else if input.take_word("type").is_some() {
            aliases.push(alias(input)?);
        } else if input.at_word("macro") {
            macros.push(macro_item(input, words::new_name)?);
        } else if input.take_word("fn").is_some() {
            functions.push(items::function(input)?);
        } else if input.take_word("const").is_some() {
            match items::constant_item(input)? {
                ConstantItem::Defined(constant) => constants.push(constant),
                ConstantItem::Outside(param) => outside.push((param, Outside::Constant)),
            }
        } else if input.take_word("extern").is_some() {
            for (of, function) in externs::externs(input)? {
                foreign.push(of);
                functions.push(function);
            }
        } else {
            break;
        }
    }
    let attributes = attributes(input)?;
    let start = input.span();
    outside.extend(captures::captures(input)?);
    if input.at_word("move") {
        let error = Diagnostic::new(Code::NoPlaceHere, start, "a program captures nothing by itself");
        return Err(error.help(
            "leave out `move`, and name what comes from the Rust around in brackets, `[k, &w] |v: &[f64]| …`",
        ));
    }
    let no_closure = || {
        let error = Diagnostic::new(Code::NoClosure, start, "a program is a closure");
        error.help("begin with its parameters, such as `|x: &[f64]|`, or with `||` if it has none")
    };
    if input.is_end() {
        return Err(no_closure());
    }
    input.begin_program();
    match expression(input)?.kind {
        ExprKind::Closure(mut closure) => {
            let wanted = input.take_wanted();
            let (params, outside): (Vec<_>, Vec<_>) = outside.into_iter().unzip();
            closure.params.splice(0..0, params);
            let (spelling, excerpts, size, warnings) = Default::default();
            Ok(Program {
                uses,
                structs,
                axes,
                aliases,
                macros,
                functions,
                constants,
                externs: foreign,
                outside,
                closure,
                wanted,
                spelling,
                attributes,
                excerpts,
                size,
                warnings,
            })
        }
        _ => Err(no_closure()),
    }
}

/// `NAME = TYPE;`
fn alias(input: &mut Input<'_>) -> Parsed<Alias> {
    let name = words::new_name(input)?;
    input.expect("=")?;
    let ty = types::delimited(input)?;
    input.expect(";")?;
    Ok(Alias { name, ty })
}

/// `macro NAME(PARAMS) = BODY;`
fn macro_item(input: &mut Input<'_>, name: fn(&mut Input<'_>) -> Parsed<Ident>) -> Parsed<Macro> {
    if input.take_word("macro").is_none() {
        return Err(input.unexpected("`macro`"));
    }
    let name = name(input)?;
    let (params, _) = input.expect_group(Delimiter::Parenthesis)?;
    let params = params.list(words::new_name)?;
    input.expect("=")?;
    let body = expression(input)?;
    input.expect(";")?;
    Ok(Macro { name, params, body })
}
