//! A kernel as a function of the language: `static NORM: Kernel<fn(&[f64]) -> f64> = weld!(|v: &[f64]| body);` is
//! `fn NORM(v: &[f64]) -> f64 { body }`.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::quote;
use weldment_core::diagnostic::{Code, Diagnostic};

use crate::told::is;

/// The function that the kernel `name` is; `tokens` stand behind the name.
pub(super) fn as_function(name: &Ident, tokens: TokenStream) -> Result<TokenStream, Vec<Diagnostic>> {
    let refused = |message: &str, advice| {
        let error = Diagnostic::new(Code::WeldedItem, name.span(), message.to_owned());
        vec![error.help(advice)]
    };
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let Some((ty, program)) = parts(&tokens) else {
        let advice = "write its type and its program: `#[welded] static NORM: Kernel<fn(&[f64]) -> f64> = weld!(|v: &[f64]| …);`";
        return Err(refused("a `#[welded]` static is a kernel", advice));
    };
    let Some((params, behind)) = closure(program) else {
        let advice = "make the items in front of it `#[welded]` functions and constants of their own, and what it captures parameters";
        return Err(refused("a kernel that is `#[welded]` is one closure", advice));
    };
    // What the closure says that it gives comes before what the kernel says.
    let result = match behind.split_last() {
        Some((TokenTree::Group(body), [first, second, result @ ..])) if is(first, '-') && is(second, '>') => {
            let result = result.iter().cloned().collect();
            return Ok(whole(name, &params, &result, quote!(#body)));
        }
        _ => result(ty).ok_or_else(|| {
            let advice = "write it in full, `Kernel<fn(&[f64]) -> f64>`, or what the closure gives, `|v: &[f64]| -> f64 { … }`";
            refused("the type of this kernel does not say what it gives", advice)
        })?,
    };
    let body: TokenStream = behind.into_iter().collect();
    Ok(whole(name, &params, &result, quote!({ #body })))
}

fn whole(name: &Ident, params: &TokenStream, result: &TokenStream, body: TokenStream) -> TokenStream {
    quote!(fn #name(#params) -> #result #body)
}

/// `: TYPE = path::weld!(PROGRAM);`
fn parts(tokens: &[TokenTree]) -> Option<(&[TokenTree], TokenStream)> {
    let equals = tokens.iter().position(|token| is(token, '='))?;
    let [TokenTree::Ident(_), path @ .., TokenTree::Group(program), end] = &tokens[equals + 1..] else {
        return None;
    };
    let is_call = path.last().is_some_and(|token| is(token, '!')) && is(end, ';') && is(&tokens[0], ':');
    is_call.then(|| (&tokens[1..equals], Group::stream(program)))
}

/// What stands between the bars of a closure, and behind them; attributes in front of it are of the kernel alone.
fn closure(program: TokenStream) -> Option<(TokenStream, Vec<TokenTree>)> {
    let mut tokens = program.into_iter().peekable();
    while tokens.next_if(|token| is(token, '#')).is_some() {
        tokens.next()?;
    }
    tokens.next_if(|token| is(token, '|'))?;
    let mut params = TokenStream::new();
    loop {
        let token = tokens.next()?;
        if is(&token, '|') {
            return Some((params, tokens.collect()));
        }
        params.extend([token]);
    }
}

/// What a kernel of this type gives: what stands behind the arrow in `Kernel<fn(A) -> B>`.
fn result(ty: &[TokenTree]) -> Option<TokenStream> {
    let arrow = ty.windows(2).position(|pair| is(&pair[0], '-') && is(&pair[1], '>'))?;
    let behind = &ty[arrow + 2..];
    let (last, result) = behind.split_last()?;
    is(last, '>').then(|| result.iter().cloned().collect())
}
