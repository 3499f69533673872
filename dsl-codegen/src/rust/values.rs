//! Values of the user's structs, and options, in emitted code: how they are made and read.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use weldment_runtime::lang::types::Type;

use super::paths::Paths;

/// A struct of type `ty` with these fields.
pub(super) fn make(p: &Paths, ty: &Type, fields: &[TokenStream]) -> TokenStream {
    if let Some((_, axes)) = ty.as_array() {
        let array = p.array();
        let (elements, numbers) = (&fields[0], fields[1..].chunks(axes));
        return quote!(#array::from_parts(#elements, #([#(#numbers),*]),*));
    }
    if ty.as_option().is_some() {
        let (there, value) = (&fields[0], &fields[1]);
        return quote!(#there.then_some(#value));
    }
    let Some(name) = ty.user_name() else { return quote!((#(#fields,)*)) };
    let (alias, members) =
        (p.structs().alias(name, ty), (0..fields.len()).map(|number| member(p, ty, number)));
    quote!(#alias { #(#members: #fields),* })
}

/// How field `number` of a struct of type `ty` is called: `0`, or `x`.
pub(super) fn member(p: &Paths, ty: &Type, number: usize) -> TokenStream {
    member_at(p, ty, number, Span::call_site())
}

/// As [`member`], written by the user at `span`, so that rustc says there that the field is private.
pub(super) fn member_at(p: &Paths, ty: &Type, number: usize, span: Span) -> TokenStream {
    let definition = ty.user_name().and_then(|name| p.structs().find(&name.of));
    let name = definition.and_then(|definition| definition.of.fields.get(number));
    match name {
        Some((field, _)) if !field.name.starts_with(|c: char| c.is_ascii_digit()) => {
            let ident = syn::parse_str::<Ident>(&field.name);
            let mut ident = ident.unwrap_or_else(|_| Ident::new_raw(&field.name, Span::call_site()));
            ident.set_span(Span::call_site().located_at(span));
            quote!(#ident)
        }
        _ => {
            let number = proc_macro2::Literal::usize_unsuffixed(number);
            quote!(#number)
        }
    }
}
