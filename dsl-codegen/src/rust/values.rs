//! Values of the user's structs and enums, options, texts, dates and times, decimal numbers, floats of 16 bits, columns, fixed arrays, sizes, in emitted code: how they are made and read.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use weldment_runtime::lang::types::{Column, Size, Type};

use super::paths::Paths;
use super::structs::Definition;

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
    if ty.is_text() {
        let (of_bytes, bytes) = (p.text_of_bytes(), &fields[0]);
        return quote!(#of_bytes(#bytes));
    }
    if let Some(column) = ty.as_column() {
        let made = match column {
            Column::Strings(_) => p.strings_of(),
            Column::Nullable(_) => p.nullable_of(),
        };
        return quote!(#made(#(#fields),*));
    }
    if let Some(temporal) = ty.as_temporal() {
        let (temporal, number) = (p.temporal(temporal), &fields[0]);
        return quote!(#temporal(#number));
    }
    if let Some(scale) = ty.as_fixed() {
        let (fixed, units) = (p.fixed(), &fields[0]);
        let digits = proc_macro2::Literal::u32_unsuffixed(scale.digits());
        return quote!(#fixed::<#digits>(#units));
    }
    if let Some(half) = ty.as_half() {
        let (half, bits) = (p.float_of_16_bits(half), &fields[0]);
        return quote!(#half::from_bits(#bits));
    }
    if ty.as_fixed_array().is_some() {
        return quote!([#(#fields),*]);
    }
    if let Some(size) = ty.as_size() {
        let (size, number) = (self::size(size), &fields[0]);
        return quote!((#number as #size));
    }
    let Some(name) = ty.user_name() else { return quote!((#(#fields,)*)) };
    let alias = p.structs().alias(name, ty);
    if is_enum(p, ty) {
        return quote!(#alias::__weld_variant(#(#fields),*));
    }
    let members = (0..fields.len()).map(|number| member(p, ty, number, Span::call_site()));
    quote!(#alias { #(#members: #fields),* })
}

/// Whether `ty` is an enum of the user. The derive gives it what makes a variant of its number, and a number of a variant.
fn is_enum(p: &Paths, ty: &Type) -> bool {
    let definition = ty.user_name().and_then(|name| p.structs().find(&name.of));
    definition.is_some_and(|definition| !definition.of.variants.is_empty())
}

/// `usize`
pub(super) fn size(size: Size) -> Ident {
    Ident::new(size.name(), Span::call_site())
}

/// How field `number` is read of a struct of type `ty`: `.0`, `.x`, `[0]`, or of a size `as i64`. A name is written by the user at `span`, so that rustc says there that
/// the field is private.
pub(super) fn part(p: &Paths, ty: &Type, number: usize, span: Span) -> TokenStream {
    if ty.as_fixed_array().is_some() {
        let number = proc_macro2::Literal::usize_unsuffixed(number);
        return quote!([#number]);
    }
    if ty.as_size().is_some() {
        return quote!(as i64);
    }
    let member = member(p, ty, number, span);
    quote!(.#member)
}

/// How field `number` of a struct of type `ty` is called: `0`, or `x`.
fn member(p: &Paths, ty: &Type, number: usize, span: Span) -> TokenStream {
    if is_enum(p, ty) {
        return quote!(__weld_number());
    }
    if ty.as_half().is_some() {
        return quote!(to_bits());
    }
    match (ty.as_column(), number) {
        (Some(Column::Strings(_)), 0) => return quote!(offsets()),
        (Some(Column::Strings(_)), _) => return quote!(bytes()),
        (Some(Column::Nullable(_)), 0) => return quote!(values()),
        (Some(Column::Nullable(_)), 1) => return quote!(bits()),
        (Some(Column::Nullable(_)), _) => return quote!(first()),
        (None, _) => {}
    }
    field(ty.user_name().and_then(|name| p.structs().find(&name.of)), number, span)
}

/// How field `number` of a struct of this `definition` is called, or of one that has none.
pub(super) fn field(definition: Option<&Definition>, number: usize, span: Span) -> TokenStream {
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
