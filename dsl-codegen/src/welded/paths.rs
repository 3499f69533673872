//! Paths in what is told that only work where they are written: those to functions of Rust, which nobody is asked about.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use weldment_core::diagnostic::{Code, Diagnostic};

/// Refuses `cudf[path, T](…)` in an item, which would be looked up anew wherever the item is used.
pub(super) fn check(item: &TokenStream) -> Result<(), Vec<Diagnostic>> {
    let Some(path) = foreign(item) else { return Ok(()) };
    let shown = path.to_string().replace(' ', "");
    let span = path.into_iter().last().map_or_else(proc_macro2::Span::call_site, |token| token.span());
    let message = format!("`{shown}` would be looked up where the function is used, and not here");
    let error = Diagnostic::new(Code::OwnPath, span, message);
    Err(vec![error.help("write `#[welded(opaque)]` before that function of Rust, and call it as others")])
}

/// The path of the first foreign function that is called in `tokens`.
fn foreign(tokens: &TokenStream) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.iter().enumerate().find_map(|(at, token)| {
        let TokenTree::Group(group) = token else { return None };
        let is_call = group.delimiter() == Delimiter::Bracket
            && at > 0
            && matches!(&tokens[at - 1], TokenTree::Ident(word) if word == "cudf");
        if !is_call {
            return foreign(&group.stream());
        }
        let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
        Some(group.stream().into_iter().take_while(|token| !is_comma(token)).collect())
    })
}
