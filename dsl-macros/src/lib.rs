//! The procedural macro behind `weldment::weld!`: an entry point, and nothing else.

use proc_macro2::{TokenStream, TokenTree};

/// `weld!(path; program)`: the kernel of `program`, whose code finds the facade at `path`.
///
/// Users call `weldment::weld!`, which puts its `$crate` there.
#[proc_macro]
pub fn weld(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let mut tokens = TokenStream::from(input).into_iter();
    let path = tokens.by_ref().take_while(|token| !is_semicolon(token)).collect();
    weldment_codegen::expand::expand(tokens.collect(), path).into()
}

fn is_semicolon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';')
}
