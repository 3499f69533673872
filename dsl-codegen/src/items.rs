//! `weld!` that holds functions and constants, and no closure: each becomes one of the language, as by `#[welded]`, but that rustc reads none
//! of it, so that it may be written in either spelling.
//!
//! ```text
//! weld! { /// Docs.
//!         pub fn f(v: vec[f64]) -> f64 { … }  #[cfg(test)] const K: f64 = 0.5; }
//!
//! weldment::__private::weld_item! { weldment; {} /// Docs.
//!         pub fn f(v: vec[f64]) -> f64 { … } }
//! #[cfg(test)]
//! weldment::__private::weld_item! { weldment; {} const K: f64 = 0.5; }
//! ```
//!
//! A macro does not know whether it stands for an item or for an expression, so that what it holds decides.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use weldment_core::diagnostic::{Code, Diagnostic};

use crate::errors::compile_errors;
use crate::told::is;
use crate::{expand, welded};

/// The expansion of `weld!`, whose `input` is the path of the facade, and behind a semicolon a program, or items.
pub fn weld(input: TokenStream) -> TokenStream {
    let mut tokens = input.clone().into_iter();
    let facade: TokenStream = tokens.by_ref().take_while(|token| !is(token, ';')).collect();
    let items = items(&tokens.collect::<Vec<_>>()).filter(|items| items.iter().any(Item::is_of_library));
    match items {
        Some(items) => {
            let guard = items.iter().find(|item| item.is_of_library()).map(guard);
            guard.into_iter().chain(items.into_iter().map(|item| expanded(item, &facade))).collect()
        }
        None => expand::weld(input),
    }
}

/// Nothing where items stand. Where an expression does, rustc says at the first word that it is none, and no more of what the items become.
fn guard(first: &Item) -> TokenStream {
    let word = &first.word;
    if word == "fn" {
        quote!(#[cfg(false)] #word guard() {})
    } else {
        quote!(#[cfg(false)] #word GUARD: () = ();)
    }
}

/// The expansion of the facade's `weld_item!`: the path of the facade, and behind a semicolon the options in braces, and one item.
pub fn item(input: TokenStream) -> TokenStream {
    let mut tokens = input.into_iter();
    let facade = tokens.by_ref().take_while(|token| !is(token, ';')).collect();
    match tokens.next() {
        Some(TokenTree::Group(options)) => welded::expand_at(facade, options.stream(), tokens.collect()),
        _ => quote!(::core::compile_error!("this macro is for what `weldment` expands to");),
    }
}

/// An item, from its attributes on.
struct Item {
    /// What it begins with behind `pub`.
    word: Ident,
    tokens: TokenStream,
}

impl Item {
    /// Whether it can be one of a library.
    fn is_of_library(&self) -> bool {
        self.word == "fn" || self.word == "const"
    }
}

/// What `item` expands to.
fn expanded(item: Item, facade: &TokenStream) -> TokenStream {
    if !item.is_of_library() {
        return compile_errors(&[not_here(&item.word)]);
    }
    let split = |input: ParseStream<'_>| Ok((input.call(syn::Attribute::parse_outer)?, input.parse()?));
    let (attributes, behind): (Vec<_>, TokenStream) = match split.parse2(item.tokens.clone()) {
        Ok(parts) => parts,
        // No attributes of Rust: the parser of items says what is wrong.
        Err(_) => (Vec::new(), item.tokens),
    };
    // A condition is one of all that the item becomes.
    let (conditions, attributes): (Vec<_>, Vec<_>) =
        attributes.into_iter().partition(|attribute| attribute.path().is_ident("cfg"));
    let (options, attributes): (Vec<_>, Vec<_>) = attributes.into_iter().partition(is_welded);
    let options = options.iter().filter_map(|attribute| match &attribute.meta {
        syn::Meta::List(list) => Some(&list.tokens),
        _ => None,
    });
    quote! {
        #(#conditions)*
        #facade::__private::weld_item! { #facade; { #(#options),* } #(#attributes)* #behind }
    }
}

/// Whether it is `#[welded]`, which says nothing new here but by its options.
fn is_welded(attribute: &syn::Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == "welded")
}

/// The error of an item that only a program has.
fn not_here(word: &Ident) -> Diagnostic {
    let message = format!("`{word}` stands in front of the closure of a program, and here is none");
    let advice = match word.to_string().as_str() {
        "use" => "functions and constants find names as Rust does: write the `use` beside this `weld!`",
        "struct" | "enum" => "derive `Weld` for one of Rust, beside this `weld!`",
        "type" => "write the type itself: other crates do not see the name",
        "static" => "write `#[welded]` before the kernel, beside this `weld!`",
        "extern" => "write `#[welded(opaque)]` before the function of Rust",
        "macro" => "write a function: one of its parameters may be `impl Fn(f64) -> f64`",
        _ => "write a closure behind it, or move it into the program that needs it",
    };
    Diagnostic::new(Code::LateItem, word.span(), message).help(advice)
}

/// The items that `tokens` consist of; none if there is anything else, such as a closure.
fn items(tokens: &[TokenTree]) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    let mut rest = tokens;
    while !rest.is_empty() {
        let word = first_word(rest)?;
        let TokenTree::Ident(name) = &rest[word] else { return None };
        let end = word + length(&name.to_string(), &rest[word..])?;
        let tokens = rest[..end].iter().map(ToTokens::to_token_stream).collect();
        items.push(Item { word: name.clone(), tokens });
        rest = &rest[end..];
    }
    Some(items)
}

/// Where an item begins behind its attributes and `pub`.
fn first_word(tokens: &[TokenTree]) -> Option<usize> {
    let mut at = 0;
    while is(tokens.get(at)?, '#') && is_group(tokens.get(at + 1)?, Delimiter::Bracket) {
        at += 2;
    }
    if matches!(tokens.get(at)?, TokenTree::Ident(word) if word == "pub") {
        at += 1;
        at += usize::from(is_group(tokens.get(at)?, Delimiter::Parenthesis));
    }
    Some(at)
}

/// How many tokens the item has that begins with `word`; none if that begins no item. One that does not end has all of them.
fn length(word: &str, tokens: &[TokenTree]) -> Option<usize> {
    let is_brace = |token: &TokenTree| is_group(token, Delimiter::Brace);
    let end = |is_last: &dyn Fn(usize) -> bool| Some((0..tokens.len()).find(|at| is_last(*at)));
    let last = match word {
        "const" | "static" | "use" | "type" | "axis" | "macro" => end(&|at| is(&tokens[at], ';')),
        // Braces that more of a type or the body follows are part of what it gives.
        "fn" => {
            end(&|at| is(&tokens[at], ';') || is_brace(&tokens[at]) && tokens.get(at + 1).is_none_or(begins))
        }
        "struct" | "enum" | "extern" => end(&|at| is(&tokens[at], ';') || is_brace(&tokens[at])),
        _ => None,
    };
    last.map(|last| last.map_or(tokens.len(), |last| last + 1))
}

/// Whether an item begins with `token`, or the closure of a program.
fn begins(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(_))
        || is(token, '#')
        || is(token, '|')
        || is_group(token, Delimiter::Bracket)
}

fn is_group(token: &TokenTree, delimiter: Delimiter) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == delimiter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(items: &str) -> String {
        weld(format!("weldment; {items}").parse().expect("tokens")).to_string()
    }

    #[test]
    fn each_item_is_expanded_by_itself() {
        let both = expanded(
            "/// Docs.\n pub(crate) fn f(v: vec[f64]) -> {f64, i64} { {sum(v), len(v)} } #[cfg(test)] #[welded(kernels)] fn g(x: f64) -> f64 { x } const K: f64 = 0.5;",
        );
        for part in [
            "weldment :: __private :: weld_item ! { weldment ; { } # [doc = \" Docs.\"] pub (crate) fn f (v : vec [f64]) -> { f64 , i64 }",
            "# [cfg (test)] weldment :: __private :: weld_item ! { weldment ; { kernels } fn g (x : f64)",
            "weldment :: __private :: weld_item ! { weldment ; { } const K : f64 = 0.5 ; }",
        ] {
            assert!(both.contains(part), "no {part} in\n{both}");
        }
        assert!(both.starts_with("# [cfg (false)] fn guard () { }"), "{both}");
        assert!(expanded("const K: f64 = 0.5;").starts_with("# [cfg (false)] const GUARD"));
    }

    #[test]
    fn a_program_with_items_is_a_program() {
        for program in [
            "fn f(x: f64) -> {f64, f64} { {x, x} } |x: f64| f(x).$0",
            "fn f(x: f64) -> f64 { x } #[expect(loops = 1)] |v: &[f64]| v.map(f).sum()",
            "const K: f64 = 2.0; [k = 1.0] |x: f64| x * k * K",
            "fn f(x: f64) -> f64 { x } || f(1.0)",
        ] {
            let expanded = expanded(program);
            assert!(!expanded.contains("weld_item") && !expanded.contains("compile_error"), "{expanded}");
        }
        for none in ["", "struct P { x: f64 }", "fn f(x: f64) -> f64 { x } f(1.0)", "use shop::tax;"] {
            assert!(expanded(none).contains("[W0102]"), "{none}");
        }
    }

    #[test]
    fn items_of_programs_are_refused_where_there_is_none() {
        for (items, advice) in [
            ("use shop::tax; fn f(x: f64) -> f64 { tax(x) }", "write the `use` beside this `weld!`"),
            ("struct P { x: f64 } fn f(p: P) -> f64 { p.x }", "derive `Weld` for one of Rust"),
            ("type T = f64; const K: T = 1.0;", "write the type itself"),
            ("fn f(x: f64) -> f64 { g(x) } extern { fn g(f64) -> f64; }", "write `#[welded(opaque)]` before"),
            ("macro m(a) = a; fn f(x: f64) -> f64 { m(x) }", "write a function"),
            ("axis Row; fn f(x: f64) -> f64 { x }", "write a closure behind it"),
        ] {
            let expanded = expanded(items);
            assert!(expanded.contains(advice) && expanded.contains("[W0125]"), "{items}: {expanded}");
        }
    }

    #[test]
    fn a_function_of_rust_has_types_of_rust() {
        let item =
            |written: &str| item(format!("weldment; {{}} {written}").parse().expect("tokens")).to_string();
        let all = item(
            "fn f(v: vec[f64], d: dict[i64,{f64,f32}], a: array[f64,2], s: {i64,vec[i8]}) -> vec[vec[f64]] { [v] }",
        );
        let f64 = "weldment :: __private :: primitive :: f64";
        for part in [
            format!("arg0 : & [{f64}] , arg1 : & weldment :: Dict <"),
            format!("arg2 : weldment :: ArrayView < '_ , {f64} , 2 >"),
            format!("-> weldment :: __private :: Vec < weldment :: __private :: Vec < {f64} > >"),
        ] {
            assert!(all.contains(&part), "no {part} in\n{all}");
        }
        // Braces around the body are a function's.
        assert!(!all.contains("BLOCK_OF_ONE"), "{all}");
        // What is told is part of a macro, where `$` means something else.
        let field = item("fn f(x: {f64, f64}) -> f64 { x.$0 + x.$1 }");
        assert!(field.contains("{ x .__weld_dollar 0 + x .__weld_dollar 1 }"), "{field}");
    }
}
