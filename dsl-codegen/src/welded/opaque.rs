//! `#[welded(opaque)]`: a function of Rust that stays as it is, and tells its signature.
//!
//! ```text
//! #[welded(opaque)] pub fn score(x: f64) -> f64 { … }      tells: extern fn score__weld_81ab(x: f64) -> f64;
//! ```
//!
//! To a kernel it is what an `extern` block declares. Where it is found is no business of its own, see `told/opaque.rs`.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use weldment_core::diagnostic::{Code, Diagnostic};
use weldment_core::syntax;
use weldment_runtime::lang::types::Scalar;

use super::item::{self, Head, check_name, refused};
use crate::errors::compile_errors;
use crate::told::{self, Answer, Heard, is};

/// What stands in place of `item`: itself, and what it tells; nothing, if there are mistakes in its signature, which are reported.
pub(super) fn expand(facade: TokenStream, item: TokenStream) -> Result<TokenStream, Vec<Diagnostic>> {
    let Head { vis, written, .. } = item::head(item.clone())?;
    let (name, function) = match function(&written) {
        Ok(found) => found,
        // rustc goes on with the function.
        Err(errors) => {
            let errors = compile_errors(&errors);
            return Ok(quote!(#item #errors));
        }
    };
    let id = told::unique(&name, &written);
    let (signature, errors) = match signature(&name, &id, &function) {
        Ok(signature) => (signature, Vec::new()),
        Err(errors) => (TokenStream::new(), errors),
    };
    let heard = Heard::nothing(facade, TokenStream::new());
    let answer = heard.answer(&Answer { vis: &vis, name: &name, id: &id, item: &signature })?;
    let errors = compile_errors(&errors);
    Ok(quote!(#item #errors #answer))
}

/// The name of the function that is `written`, and all of it from `fn` on.
fn function(written: &TokenStream) -> Result<(Ident, TokenStream), Vec<Diagnostic>> {
    let mut tokens = written.clone().into_iter().peekable();
    // It can be called as others are.
    tokens.next_if(|token| matches!(token, TokenTree::Ident(word) if word == "const"));
    let function: TokenStream = tokens.collect();
    let mut tokens = function.clone().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Ident(word)), Some(TokenTree::Ident(name))) if word == "fn" => {
            check_name(&name)?;
            Ok((name, function))
        }
        (first, _) => {
            let span = first.map_or_else(Span::call_site, |token| token.span());
            let message = "only functions are opaque, and such as can be called safely as they stand";
            Err(refused(span, message, "the form is `#[welded(opaque)] pub fn name(x: f64) -> f64 { … }`"))
        }
    }
}

/// What the function is to kernels, by the name `id`.
fn signature(name: &Ident, id: &Ident, function: &TokenStream) -> Result<TokenStream, Vec<Diagnostic>> {
    if let Some(token) = function.clone().into_iter().nth(2).filter(|token| is(token, '<')) {
        let message = format!("`{name}` has type parameters, of which kernels know nothing");
        return Err(refused(token.span(), message, "write one function for each type"));
    }
    if let Some(receiver) = receiver(function) {
        let message = format!("`{name}` is a method, which kernels do not find");
        return Err(refused(receiver, message, "write a function beside the `impl`, of scalars"));
    }
    let Some(parts) = item::parts(function) else {
        let message = format!("the function `{name}` gives nothing");
        let error = Diagnostic::new(Code::NoValue, name.span(), message);
        return Err(vec![
            error.help("kernels call functions for what they give: `fn score(x: f64) -> f64 { … }`"),
        ]);
    };
    let types = parts.params.iter().map(|(_, ty)| ty).chain([&parts.result]);
    let errors: Vec<Diagnostic> = types.filter_map(no_scalar).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let id = Ident::new(&id.to_string(), name.span());
    let result = &parts.result;
    let told = |params: Vec<TokenStream>| quote!(extern fn #id(#(#params),*) -> #result;);
    // The names are for advice, if they are names of the language.
    let named = told(parts.params.iter().map(|(pattern, ty)| quote!(#pattern: #ty)).collect());
    if syntax::parse_items(named.clone()).is_ok() {
        return Ok(named);
    }
    Ok(told(parts.params.into_iter().map(|(_, ty)| ty).collect()))
}

/// Where `self` stands among the parameters.
fn receiver(function: &TokenStream) -> Option<Span> {
    let params = function.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(params) => Some(params.stream()),
        _ => None,
    });
    params?.into_iter().find_map(|token| match token {
        TokenTree::Ident(word) if word == "self" => Some(word.span()),
        _ => None,
    })
}

/// The error of a type that is not one of scalars.
fn no_scalar(ty: &TokenStream) -> Option<Diagnostic> {
    let shown = ty.to_string();
    if Scalar::ALL.iter().any(|scalar| scalar.name() == shown) {
        return None;
    }
    let span = ty.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    let message =
        format!("not supported yet: an opaque function on a value of type `{}`", shown.replace(' ', ""));
    let advice = "it takes and gives scalars, by their own names, such as f64 or u8: kernels call it for each element, or with the fields";
    Some(Diagnostic::new(Code::ForeignValues, span, message).help(advice))
}
