//! Types of Rust of what is written in Weld's spelling: `vec[f64]` is `&[f64]` where a function takes it, and `Vec<f64>` elsewhere.

use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote;
use weldment_core::syntax::ast::{Type, TypeKind};

/// Where a type stands.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// Of a parameter.
    Param,
    /// Of what a function gives, or inside of another type.
    Result,
}

/// The type of Rust that `ty` is, which is `written` so.
pub(super) fn of_rust(written: &TokenStream, ty: &Type, place: Place, facade: &TokenStream) -> TokenStream {
    if is_of_weld(written) {
        spelt(ty, place, facade).unwrap_or_else(|| written.clone())
    } else {
        written.clone()
    }
}

/// Whether any of it is in Weld's spelling.
fn is_of_weld(written: &TokenStream) -> bool {
    let mut is_name = false;
    written.clone().into_iter().any(|token| {
        let found = match &token {
            TokenTree::Group(group) => match group.delimiter() {
                Delimiter::Brace => true,
                Delimiter::Bracket if is_name => true,
                _ => is_of_weld(&group.stream()),
            },
            _ => false,
        };
        is_name = matches!(token, TokenTree::Ident(_));
        found
    })
}

/// The type in Rust's spelling; none if Rust has no such type.
fn spelt(ty: &Type, place: Place, facade: &TokenStream) -> Option<TokenStream> {
    let inside = |ty: &Type| spelt(ty, Place::Result, facade);
    let is_lent = place == Place::Param;
    Some(match &ty.kind {
        TypeKind::Scalar(scalar) => {
            let scalar = Ident::new(scalar.name(), Span::call_site());
            quote!(#facade::__private::primitive::#scalar)
        }
        TypeKind::Size(size) => {
            let size = Ident::new(size.name(), Span::call_site());
            quote!(#facade::__private::primitive::#size)
        }
        TypeKind::Text if is_lent => quote!(&#facade::__private::primitive::str),
        TypeKind::Text => quote!(#facade::__private::String),
        TypeKind::Fixed(scale) => {
            let digits = Literal::u32_unsuffixed(scale.digits());
            quote!(#facade::Fixed<#digits>)
        }
        TypeKind::Vec(element) => {
            let element = inside(element)?;
            if is_lent { quote!(&[#element]) } else { quote!(#facade::__private::Vec<#element>) }
        }
        TypeKind::FixedArray(element, len) => {
            let (element, len) = (inside(element)?, Literal::usize_unsuffixed(*len));
            quote!([#element; #len])
        }
        TypeKind::Option(value) => {
            let value = inside(value)?;
            quote!(#facade::__private::Option<#value>)
        }
        TypeKind::Dict(key, value) => {
            let (key, value) = (inside(key)?, inside(value)?);
            let dict = quote!(#facade::Dict<#key, #value>);
            if is_lent { quote!(&#dict) } else { dict }
        }
        TypeKind::Array(element, axes) => {
            let (element, axes) = (inside(element)?, Literal::usize_unsuffixed(axes.count));
            if is_lent {
                quote!(#facade::ArrayView<'_, #element, #axes>)
            } else {
                quote!(#facade::Array<#element, #axes>)
            }
        }
        TypeKind::Struct(fields) => {
            let fields = fields.iter().map(inside).collect::<Option<Vec<_>>>()?;
            quote!((#(#fields,)*))
        }
        TypeKind::Name(named) => {
            let path: TokenStream = named.name.name.parse().ok()?;
            let args = named.args.iter().map(inside).collect::<Option<Vec<_>>>()?;
            if args.is_empty() { path } else { quote!(#path<#(#args),*>) }
        }
        TypeKind::Reference { .. }
        | TypeKind::View(..)
        | TypeKind::Infer
        | TypeKind::Builder(_)
        | TypeKind::Function(..) => return None,
    })
}
