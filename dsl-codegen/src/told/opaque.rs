//! Functions of Rust that tell their signatures, `extern fn score__weld_81ab(x: f64) -> f64;`, and where kernels find them.
//!
//! A program that names one has its path. One that only a function of the language names is found by the path that this has for it, which
//! has to mean the same in any crate: from the root of its own, `crate::shop::score`, which is told as `$crate::shop::score`.

use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;
use weldment_core::diagnostic::{Code, Diagnostic};

use super::renamed::spelt;

/// Whether `item` is such a function, as it is told.
pub(super) fn is_opaque(item: &TokenStream) -> bool {
    matches!(item.clone().into_iter().next(), Some(TokenTree::Ident(word)) if word == "extern")
}

/// `path`, which stands in a function of the language, as it is told to others.
pub(super) fn path_from_anywhere(path: &TokenStream) -> Result<TokenStream, Diagnostic> {
    let mut tokens = path.clone().into_iter();
    match tokens.next() {
        // Of a `macro_rules` macro: it is so already.
        Some(TokenTree::Ident(root)) if root == "$crate" => Ok(path.clone()),
        Some(TokenTree::Ident(root)) if root == "crate" => {
            let (d, root) = (Punct::new('$', Spacing::Alone), Ident::new("crate", Span::call_site()));
            Ok(quote!(#d #root #(#tokens)*))
        }
        _ => Err(not_from_anywhere(path)),
    }
}

fn not_from_anywhere(path: &TokenStream) -> Diagnostic {
    let shown = spelt(path);
    let last = path.clone().into_iter().last();
    let (name, span) =
        last.map_or_else(|| (String::new(), Span::call_site()), |last| (last.to_string(), last.span()));
    let message =
        format!("`{shown}` is a function of Rust, which other modules and crates do not find at this path");
    let error = Diagnostic::new(Code::OwnPath, span, message);
    error.help(format!(
        "name it from the root of the crate: `crate::{name}(…)`, with the modules between; one of another crate by a `pub use` in this one"
    ))
}
