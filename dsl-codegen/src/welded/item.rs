//! The item behind `#[welded]`, and the options of the attribute.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use weldment_core::diagnostic::{Code, Diagnostic};
use weldment_core::front;
use weldment_core::syntax;
use weldment_core::syntax::ast::Welded;

use super::kernel::as_function;
use crate::told::is;

/// What the attribute says.
pub(super) struct Options {
    /// Where the facade is found.
    pub(super) facade: TokenStream,
    /// Whether there is to be no function of Rust.
    pub(super) is_for_kernels: bool,
    /// The types for which there is one, if they are listed.
    pub(super) types: Option<For>,
    /// Whether the body is Rust's alone.
    pub(super) is_opaque: bool,
}

/// `for(types)`.
pub(super) struct For {
    /// Where the word stands.
    pub(super) span: Span,
    /// What stands in the parentheses.
    pub(super) of: TokenStream,
}

/// What stands before an item, and behind that the item.
pub(super) struct Head {
    pub(super) attributes: TokenStream,
    pub(super) vis: TokenStream,
    pub(super) written: TokenStream,
}

/// An item: what stands before it, and behind that the item itself.
pub(super) struct Item {
    pub(super) attributes: TokenStream,
    pub(super) vis: TokenStream,
    pub(super) name: Ident,
    /// From `fn` or `const` on; of a kernel the function that its program is.
    pub(super) written: TokenStream,
    /// Of a kernel all from `static` on.
    pub(super) kernel: Option<TokenStream>,
    /// As the language reads it.
    pub(super) of: Welded,
}

/// A function, in parts.
pub(super) struct Parts {
    /// Patterns and types.
    pub(super) params: Vec<(TokenStream, TokenStream)>,
    pub(super) result: TokenStream,
    /// With its braces.
    pub(super) body: TokenStream,
}

impl Item {
    /// The item by the name `id`.
    pub(super) fn named(&self, id: &Ident) -> TokenStream {
        let mut tokens = self.written.clone().into_iter();
        let word = tokens.next();
        let id = Ident::new(&id.to_string(), self.name.span());
        let behind = tokens.skip(1);
        quote!(#word #id #(#behind)*)
    }
}

/// `crate = path`, without which the facade is at `facade`, `kernels` and `for(types)`.
pub(super) fn options(options: TokenStream, facade: TokenStream) -> Result<Options, Vec<Diagnostic>> {
    let mut found = Options { facade, is_for_kernels: false, types: None, is_opaque: false };
    let mut error = None;
    let parser = syn::meta::parser(|meta| {
        if meta.path.is_ident("crate") {
            found.facade = meta.value()?.call(syn::Path::parse_mod_style)?.into_token_stream();
        } else if meta.path.is_ident("kernels") {
            found.is_for_kernels = true;
        } else if meta.path.is_ident("for") {
            let span = meta.path.segments[0].ident.span();
            let inside;
            syn::parenthesized!(inside in meta.input);
            found.types = Some(For { span, of: inside.parse()? });
        } else if meta.path.is_ident("opaque") {
            found.is_opaque = true;
        } else {
            let span = meta.path.segments[0].ident.span();
            error = Some(refused(
                span,
                "`#[welded]` has no such option",
                "there are `#[welded(crate = path)]`, which says where the facade is, `#[welded(kernels)]`, for what no Rust calls, \
                 `#[welded(for(i32, i64))]`, for which types a generic function is one of Rust, and `#[welded(opaque)]`, for a function of Rust whose \
                 body is no business of kernels",
            ));
            return Err(meta.error("unknown"));
        }
        Ok(())
    });
    let place = options.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    match parser.parse2(options) {
        Ok(()) if found.is_opaque && (found.is_for_kernels || found.types.is_some()) => {
            let message = "an opaque function is one of Rust as it is written";
            Err(refused(place, message, "leave out `kernels` and `for`"))
        }
        Ok(()) => match &found.types {
            Some(types) if found.is_for_kernels => {
                let message =
                    "`for` says for which types this is a function of Rust, and `kernels` that it is none";
                Err(refused(types.span, message, "leave out one of them"))
            }
            _ => Ok(found),
        },
        Err(other) => Err(error.unwrap_or_else(|| {
            refused(
                other.span(),
                other.to_string(),
                "the options are `crate = path`, `kernels`, `for(i32, i64)` and `opaque`",
            )
        })),
    }
}

/// `item` in parts.
pub(super) fn head(item: TokenStream) -> Result<Head, Vec<Diagnostic>> {
    let before = |input: ParseStream<'_>| {
        let attributes = input.call(syn::Attribute::parse_outer)?;
        let vis: syn::Visibility = input.parse()?;
        Ok((attributes, vis, input.parse::<TokenStream>()?))
    };
    let (attributes, vis, written) =
        before.parse2(item).map_err(|error| refused(error.span(), error.to_string(), FORM))?;
    Ok(Head { attributes: quote!(#(#attributes)*), vis: vis.into_token_stream(), written })
}

/// Refuses names that something else has where kernels are.
pub(super) fn check_name(name: &Ident) -> Result<(), Vec<Diagnostic>> {
    let message = if PRELUDE.iter().any(|macros| name == macros) {
        format!("`{name}` cannot be `#[welded]`: it would take the place of the macro `{name}!`")
    } else if front::is_function(&name.to_string()) {
        format!("the language has a function `{name}`")
    } else {
        return Ok(());
    };
    Err(refused(name.span(), message, "give it another name"))
}

/// The function or constant in `item`.
pub(super) fn parse(item: TokenStream) -> Result<Item, Vec<Diagnostic>> {
    let Head { attributes, vis, written } = head(item)?;
    let mut tokens = written.clone().into_iter();
    let (name, kernel) = match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Ident(word)), Some(TokenTree::Ident(name))) if word == "fn" || word == "const" => {
            (name, None)
        }
        (Some(TokenTree::Ident(word)), Some(TokenTree::Ident(name))) if word == "static" => {
            (name, Some(written.clone()))
        }
        (first, _) => {
            let span = first.map_or_else(Span::call_site, |token| token.span());
            return Err(refused(span, "only functions, constants and kernels are `#[welded]`", FORM));
        }
    };
    let written = match kernel {
        Some(_) => as_function(&name, tokens.collect())?,
        None => written,
    };
    check_name(&name)?;
    let Some(of) = syntax::parse_items(written.clone())?.1.pop() else {
        return Err(refused(name.span(), "this is no item of the language", FORM));
    };
    Ok(Item { attributes, vis, name, written, kernel, of })
}

const FORM: &str = "the forms are `#[welded] pub fn name(x: f64) -> f64 { … }`, `#[welded] pub const NAME: f64 = …;` and \
     `#[welded] pub static NAME: Kernel<…> = weld!(…);`";

/// Macros of Rust's prelude: a macro of such a name in scope would be meant instead.
const PRELUDE: [&str; 29] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "include",
    "line",
    "matches",
    "panic",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
];

/// The parts of the function that is `written`.
pub(super) fn parts(written: &TokenStream) -> Option<Parts> {
    let tokens: Vec<TokenTree> = written.clone().into_iter().collect();
    let of = |token: &TokenTree, delimiter| match token {
        TokenTree::Group(group) if group.delimiter() == delimiter => Some(group.clone()),
        _ => None,
    };
    let at = tokens.iter().position(|token| of(token, Delimiter::Parenthesis).is_some())?;
    let (params, behind) = (of(&tokens[at], Delimiter::Parenthesis)?, &tokens[at + 1..]);
    let [first, second, result @ .., body] = behind else { return None };
    let body: Group = of(body, Delimiter::Brace)?;
    let is_arrow = is(first, '-') && is(second, '>');
    let params = split(params.stream(), ',').into_iter().filter(|param| !param.is_empty());
    let params = params.map(|param| {
        let at = param.iter().position(|token| is(token, ':'))?;
        let side = |tokens: &[TokenTree]| tokens.iter().cloned().collect::<TokenStream>();
        Some((side(&param[..at]), side(&param[at + 1..])))
    });
    let params = params.collect::<Option<_>>()?;
    let (result, body) = (result.iter().cloned().collect(), body.to_token_stream());
    is_arrow.then_some(Parts { params, result, body })
}

/// `tokens` at each symbol that is not between `<` and `>`.
pub(super) fn split(tokens: TokenStream, symbol: char) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    let (mut depth, mut is_arrow) = (0usize, false);
    for token in tokens {
        if is(&token, '<') {
            depth += 1;
        } else if is(&token, '>') && !is_arrow {
            depth = depth.saturating_sub(1);
        }
        is_arrow = is(&token, '-');
        if depth == 0 && is(&token, symbol) {
            parts.push(Vec::new());
        } else {
            parts.last_mut().expect("never empty").push(token);
        }
    }
    parts
}

/// The error of what cannot be `#[welded]`.
pub(super) fn refused(span: Span, message: impl Into<String>, help: &str) -> Vec<Diagnostic> {
    vec![Diagnostic::new(Code::WeldedItem, span, message.into()).help(help)]
}
