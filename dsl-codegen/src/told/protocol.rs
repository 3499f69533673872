//! The form of questions and answers, and its number, which changes with the form: crates of one program may depend on different versions
//! of the facade.
//!
//! A macro that is asked by another number answers by its own, and with its version; whoever wanted to know says of which versions
//! both are:
//!
//! ```text
//! tax! { @weld2 [] [{ weld }] … }      weld! { @weld2 [{ @weld1 "0.1.0" }] [] … }
//! ```
//!
//! So what is never to change is what such a question looks like: the number, the answers, and who comes next.

use proc_macro2::{Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;
use weldment_core::diagnostic::{Code, Diagnostic};

use super::is;

/// The number.
const NUMBER: &str = "weld1";

/// The version of weldment that has it.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The number, as it stands behind the `@`.
pub(super) fn number() -> Ident {
    Ident::new(NUMBER, Span::call_site())
}

/// The macro `id`, which answers so.
pub(super) fn macro_of(id: &Ident, answer: &TokenStream) -> TokenStream {
    let (d, number) = (Punct::new('$', Spacing::Alone), number());
    let version = Literal::string(VERSION);
    quote! {
        macro_rules! #id {
            (@#number [#d (#d told:tt)*] [{ #d (#d next:tt)* } #d (#d more:tt)*] #d (#d rest:tt)*) => {
                #d (#d next)* ! { @#number [#d (#d told)* { #answer }] [#d (#d more)*] #d (#d rest)* }
            };
            (@#d asked:ident [#d (#d told:tt)*] [{ #d (#d next:tt)* } #d (#d more:tt)*] #d (#d rest:tt)*) => {
                #d (#d next)* ! { @#d asked [#d (#d told)* { @#number #version }] [#d (#d more)*] #d (#d rest)* }
            };
        }
    }
}

/// The error of the answer `tokens` of what is `shown` at `place`, if it has another number: it comes from another version.
pub(super) fn other(tokens: &TokenStream, shown: &str, place: Span) -> Option<Diagnostic> {
    let mut tokens = tokens.clone().into_iter();
    tokens.next().filter(|token| is(token, '@'))?;
    let version = tokens.nth(1).map(|version| version.to_string()).unwrap_or_default();
    let message = format!(
        "`{shown}` is told by weldment {}, which this weldment {VERSION} does not understand",
        version.trim_matches('"')
    );
    Some(Diagnostic::new(Code::Versions, place, message).help(ADVICE))
}

/// Whether a question begins with this number; an error if it begins with another one.
pub(super) fn is_ours(number: &TokenTree) -> Result<bool, Diagnostic> {
    let TokenTree::Ident(number) = number else { return Ok(false) };
    let digits = number.to_string().strip_prefix("weld").map(str::to_owned).unwrap_or_default();
    if number == NUMBER || digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(number == NUMBER);
    }
    let message = format!(
        "a macro of another version of weldment asks here (`{number}`), which this weldment {VERSION} (`{NUMBER}`) does not understand"
    );
    let error = Diagnostic::new(Code::Versions, Span::call_site(), message).help(ADVICE);
    Err(error
        .help("`#[welded(crate = path)]` and `#[weld(crate = path)]` name the facade that the macro is from"))
}

const ADVICE: &str = "depend on one version of weldment: `cargo tree -d` shows who depends on which, and `cargo update -p weldment` makes them one where \
                      the requirements agree";
