//! The procedural macros behind `weldment::weld!`, `weldment::Weld` and `weldment::welded`: entry points, and nothing else.

use proc_macro::TokenStream;
use weldment_codegen::expand::STACK;
use weldment_codegen::{derive, items, welded as function};

/// `weld!(path; program)`: the kernel of `program`, whose code finds the facade at `path`; or items, if it has no closure.
///
/// Users call `weldment::weld!`, which puts its `$crate` there. Where the program names what the user has elsewhere, the first expansion
/// asks for it; the second finds the answers in front of the path.
#[proc_macro]
pub fn weld(input: TokenStream) -> TokenStream {
    // On this thread, to which the spans belong.
    stacker::maybe_grow(STACK / 2, STACK, || items::weld(input.into())).into()
}

/// Makes a struct one of the language: `weldment::Weld`.
#[proc_macro_derive(Weld, attributes(weld))]
pub fn derive_weld(input: TokenStream) -> TokenStream {
    derive::expand(input.into()).into()
}

/// The rest of the derive, once the structs inside have answered.
#[proc_macro]
pub fn define(input: TokenStream) -> TokenStream {
    derive::define(input.into()).into()
}

/// Makes a function one of the language: `weldment::welded`.
#[proc_macro_attribute]
pub fn welded(options: TokenStream, item: TokenStream) -> TokenStream {
    stacker::maybe_grow(STACK / 2, STACK, || function::expand(options.into(), item.into())).into()
}

/// One of the items in a `weld!` without a closure.
#[proc_macro]
pub fn weld_item(input: TokenStream) -> TokenStream {
    stacker::maybe_grow(STACK / 2, STACK, || items::item(input.into())).into()
}

/// The rest of the attribute, once what the function names has answered.
#[proc_macro]
pub fn welded_told(input: TokenStream) -> TokenStream {
    stacker::maybe_grow(STACK / 2, STACK, || function::told(input.into())).into()
}
