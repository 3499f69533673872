//! What the user wrote as tokens of the user's.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};

/// The path `symbol` as tokens of the user's at `span`.
pub(super) fn path(symbol: &str, span: Span) -> TokenStream {
    let names = symbol.split("::").map(|name| match (name, syn::parse_str::<Ident>(name)) {
        // A path that begins with `::`.
        ("", _) => TokenStream::new(),
        ("crate" | "self" | "super" | "Self" | "_", _) | (_, Ok(_)) => {
            Ident::new(name, span).into_token_stream()
        }
        // A keyword of Rust, which the user wrote with `r#`.
        _ => Ident::new_raw(name, span).into_token_stream(),
    });
    let names: Vec<_> = names.collect();
    quote_spanned!(span=> #(#names)::*)
}
