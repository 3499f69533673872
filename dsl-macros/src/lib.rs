//! The procedural macros behind `weldment::weld!` and `weldment::Weld`: entry points, and nothing else.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use weldment_codegen::expand::STACK;

/// `weld!(path; program)`: the kernel of `program`, whose code finds the facade at `path`.
///
/// Users call `weldment::weld!`, which puts its `$crate` there. Where the program names structs, the first expansion asks
/// each for its fields; the second finds them in brackets in front of the path.
#[proc_macro]
pub fn weld(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let mut tokens = TokenStream::from(input).into_iter().peekable();
    let structs = tokens
        .next_if(|token| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket));
    let structs = structs.map(|token| match token {
        TokenTree::Group(group) => group.stream(),
        token => token.into(),
    });
    let path = tokens.by_ref().take_while(|token| !is_semicolon(token)).collect();
    let expand = || weldment_codegen::expand::expand(tokens.collect(), path, structs);
    // On this thread, to which the spans belong.
    stacker::maybe_grow(STACK / 2, STACK, expand).into()
}

/// Makes a struct one of the language: `weldment::Weld`.
#[proc_macro_derive(Weld, attributes(weld))]
pub fn derive_weld(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    weldment_codegen::derive::expand(input.into()).into()
}

fn is_semicolon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';')
}
