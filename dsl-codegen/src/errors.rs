//! Mistakes as tokens: errors of rustc where the mistakes are.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use weldment_core::diagnostic::Diagnostic;

/// The errors as items.
pub(crate) fn compile_errors(errors: &[Diagnostic]) -> TokenStream {
    let errors = errors.iter().map(compile_error);
    quote!(#(#errors;)*)
}

/// The error as an expression that stands where the mistake is.
pub(crate) fn compile_error(error: &Diagnostic) -> TokenStream {
    let message = error.to_string();
    quote_spanned!(error.span=> ::core::compile_error!(#message))
}
