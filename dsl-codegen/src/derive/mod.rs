//! `derive(Weld)` from tokens to tokens.
//!
//! A struct gets the traits that values of a program have, by one macro of the runtime, and a macro of its own name that
//! tells `weld!` its fields:
//!
//! ```text
//! __structure! { [] (Segment) [] [] { a: Point, b: Point, id: i64, } }
//! impl Part<0> for Segment { type Type = Point; }
//! macro_rules! Segment__weld_f00 { … }
//! pub use Segment__weld_f00 as Segment;
//! ```
//!
//! A name of a macro travels with that of its struct, through modules, crates and renames, and is found where the struct
//! is found. An enum of numbers is the struct of its number, by a macro of its own. The layouts of structs inside are collected where the outer one is defined, for only there are they known
//! to be in scope.

mod check;
mod enums;

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Index, Type};
use weldment_core::diagnostic::Code;

use self::enums::Enum;
use crate::errors::compile_errors;
use crate::told::{self, Answer, Heard};

/// The expansion of `#[derive(Weld)]` before `input`.
///
/// What cannot be a struct of the language becomes an error at the token that is wrong.
pub fn expand(input: TokenStream) -> TokenStream {
    let expanded = syn::parse2::<DeriveInput>(input).and_then(|input| {
        check::check(&input)?;
        let facade = facade(&input)?;
        Ok(match Enum::of(&input)? {
            Some(of) => of_enum(&input, &of, &facade),
            None => of_struct(&input, &facade),
        })
    });
    expanded.unwrap_or_else(|error| error.to_compile_error())
}

/// Where the facade is found: `::weldment`, or what `#[weld(crate = path)]` says.
fn facade(input: &DeriveInput) -> syn::Result<TokenStream> {
    let mut facade = quote!(::weldment);
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("weld")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                let message = "the derive has no such option\nhelp: the only one is `#[weld(crate = path)]`, which says where the facade is";
                return Err(check::error_at(Code::DeriveOption, meta.path.span(), message));
            }
            facade = meta.value()?.call(syn::Path::parse_mod_style)?.into_token_stream();
            Ok(())
        })?;
    }
    Ok(facade)
}

fn of_struct(input: &DeriveInput, facade: &TokenStream) -> TokenStream {
    let Data::Struct(data) = &input.data else { unreachable!("anything else has been refused") };
    let name = &input.ident;
    let (_, args, bounds) = input.generics.split_for_impl();
    // Without defaults, which an `impl` must not have.
    let generics = input.generics.type_params().map(|param| {
        let (name, bounds) = (&param.ident, &param.bounds);
        quote!(#name: #bounds)
    });
    let generics = quote!(#(#generics),*);
    let lifetimes = input.generics.lifetimes();
    let generics = quote!(#(#lifetimes,)* #generics);
    let params: Vec<&Ident> = input.generics.type_params().map(|param| &param.ident).collect();
    let bounds = bounds.map(|bounds| bounds.predicates.to_token_stream());
    let fields = data.fields.iter().enumerate().map(|(number, field)| {
        let (member, ty) = (member(number, field.ident.as_ref()), &field.ty);
        quote!(#member: #ty,)
    });
    let mut parts = Vec::new();
    data.fields.iter().for_each(|field| named_types(&field.ty, &params, &mut parts));
    let part_impls = parts.iter().enumerate().map(|(number, part)| {
        let bounds = &bounds;
        quote_spanned! {part.span()=>
            impl<#generics> #facade::__private::rt::api::structure::Part<#number> for #name #args where #bounds {
                type Type = #part;
            }
        }
    });
    let bounds = bounds.as_ref().filter(|bounds| !bounds.is_empty());
    let rt = quote!(#facade::__private::rt);
    let structure = match check::is_lent(input) {
        true => {
            let lifetimes = input.generics.lifetimes().map(|_| quote!('weld));
            let of = quote!(#name<#(#lifetimes,)* #(#params),*>);
            quote!(#rt::__lent! { [#generics] (#name #args) (#of) [#(#params)*] [#bounds] { #(#fields)* } })
        }
        false => {
            quote!(#rt::__structure! { [#generics] (#name #args) [#(#params)*] [#bounds] { #(#fields)* } })
        }
    };
    let impls = quote!(#structure #(#part_impls)*);
    layout(input, &data.fields, &parts, facade, &impls)
}

/// As a struct, of which nothing else has to be known.
fn of_enum(input: &DeriveInput, of: &Enum<'_>, facade: &TokenStream) -> TokenStream {
    let (name, vis) = (&input.ident, &input.vis);
    let id = told::unique(name, &input.to_token_stream());
    let (definition, impls) = (of.definition(&id), of.impls(name, facade));
    let rest = quote!({ #vis } #name #id { #definition } { #impls });
    answered(&Heard::nothing(facade.clone(), rest))
}

fn member(number: usize, name: Option<&Ident>) -> TokenStream {
    name.map_or_else(|| Index::from(number).into_token_stream(), ToTokens::to_token_stream)
}

/// `ty`, of which it is rustc's business for which lifetime a field borrows.
fn without_lifetimes(ty: &Type) -> TokenStream {
    match ty {
        Type::Reference(lent) => {
            let of = without_lifetimes(&lent.elem);
            quote!(&#of)
        }
        Type::Slice(slice) => {
            let of = without_lifetimes(&slice.elem);
            quote!([#of])
        }
        ty => ty.to_token_stream(),
    }
}

/// The macro that tells `weld!` the fields, and `impls` beside it, once the types of all fields are known.
fn layout(
    input: &DeriveInput,
    fields: &Fields,
    parts: &[&Type],
    facade: &TokenStream,
    impls: &TokenStream,
) -> TokenStream {
    let (name, vis) = (&input.ident, &input.vis);
    let id = told::unique(&input.ident, &input.to_token_stream());
    let lifetimes = input.generics.lifetimes().map(|param| param.lifetime.to_token_stream());
    let params = input.generics.type_params().map(|param| param.ident.to_token_stream());
    let params = lifetimes.chain(params);
    let types = fields.iter().map(|field| without_lifetimes(&field.ty));
    // Written as the language writes a struct.
    let definition = match fields {
        Fields::Unnamed(_) => quote!(struct #id<#(#params),*>(#(#types),*);),
        _ => {
            let members = fields.iter().map(|field| field.ident.as_ref());
            quote!(struct #id<#(#params),*> { #(#members: #types),* })
        }
    };
    let mut seen = HashSet::new();
    let paths = parts.iter().filter_map(|part| path_of(part)).map(without_args);
    let paths: Vec<TokenStream> = paths.filter(|path| seen.insert(path.to_string())).collect();
    // A constant knows no parameters of the struct.
    let checks = parts.iter().filter(|_| input.generics.params.is_empty());
    let checks: TokenStream =
        checks.map(|part| told::check(&part.to_token_stream(), "Structure", facade)).collect();
    let rest = quote!({ #vis } #name #id { #definition } { #impls });
    match told::question(&paths, "define", facade, &rest) {
        Some(question) => quote!(#checks #question),
        None => answered(&Heard::nothing(facade.clone(), rest)),
    }
}

/// The expansion of the facade's `define!`, behind whose answers stand the visibility of a struct, its name, that of its macro, its
/// definition, and what its derive gives besides: nothing of it is there if a type inside does not derive `Weld`, which is one error.
pub fn define(input: TokenStream) -> TokenStream {
    told::on_answers(input, answered)
}

fn answered(heard: &Heard) -> TokenStream {
    let tokens: Vec<TokenTree> = heard.rest.clone().into_iter().collect();
    let [
        TokenTree::Group(vis),
        TokenTree::Ident(name),
        TokenTree::Ident(id),
        TokenTree::Group(item),
        TokenTree::Group(impls),
    ] = &tokens[..]
    else {
        unreachable!("the derive has written it")
    };
    let (vis, item, impls) = (vis.stream(), item.stream(), impls.stream());
    match heard.answer(&Answer { vis: &vis, name, id, item: &item }) {
        Ok(answer) => quote!(#impls #answer),
        Err(errors) => {
            let errors = compile_errors(&errors);
            quote!(#impls #errors)
        }
    }
}

/// The types inside `ty` that have to derive `Weld` themselves, in the order in which they are written.
fn named_types<'a>(ty: &'a Type, params: &[&Ident], found: &mut Vec<&'a Type>) {
    match ty {
        Type::Paren(inner) => named_types(&inner.elem, params, found),
        Type::Group(inner) => named_types(&inner.elem, params, found),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|ty| named_types(ty, params, found)),
        Type::Array(array) => named_types(&array.elem, params, found),
        Type::Slice(slice) => named_types(&slice.elem, params, found),
        Type::Reference(lent) => named_types(&lent.elem, params, found),
        Type::Path(path) => {
            let last = path.path.segments.last().expect("a path has segments");
            let is_param = path.path.get_ident().is_some_and(|name| params.contains(&name));
            if !is_param && !check::is_known(&last.ident) && !check::is_of_language(&path.path) {
                found.push(ty);
            }
            check::type_args(last).for_each(|ty| named_types(ty, params, found));
        }
        _ => {}
    }
}

fn path_of(ty: &Type) -> Option<&syn::Path> {
    match ty {
        Type::Path(path) => Some(&path.path),
        _ => None,
    }
}

/// `a::Pair` of `a::Pair<f64>`.
fn without_args(path: &syn::Path) -> TokenStream {
    let leading = &path.leading_colon;
    let names = path.segments.iter().map(|segment| &segment.ident);
    quote!(#leading #(#names)::*)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The codes in the errors that the derive gives.
    fn codes(item: &str) -> Vec<String> {
        let expanded = expand(item.parse().unwrap_or_else(|error| panic!("{item}: {error}"))).to_string();
        let errors = expanded.split("compile_error").skip(1);
        errors.map(|error| error[error.find("[W").map_or(0, |at| at + 1)..][..5].to_owned()).collect()
    }

    #[test]
    fn examples_of_the_table_are_right_and_wrong_as_items() {
        let mut count = 0;
        for code in Code::ALL {
            let Some(example) = code.example().filter(|example| example.is_derive()) else { continue };
            assert_eq!(codes(example.wrong), [code.to_string()], "{}", example.wrong);
            assert_eq!(codes(example.right), [""; 0], "{}", example.right);
            count += 1;
        }
        assert!(count >= 6, "only {count} examples");
    }

    #[test]
    fn types_that_programs_do_not_have_are_told_as_in_programs() {
        for (ty, code) in [
            ("[f64; 0]", "W0121"),
            ("Vec<[f64; SIZE]>", "W0121"),
            ("[char; 3]", "W0319"),
            ("std::collections::HashMap<i64, f64>", "W0122"),
            ("Box<f64>", "W0122"),
            ("(i64, &'static str)", "W0511"),
            ("char", "W0319"),
            ("u128", "W0319"),
            ("Vec<Row>", "W0206"),
            ("&'static [f64]", "W0511"),
            ("fn(f64) -> f64", "W0511"),
            ("*const f64", "W0511"),
            ("<T as Trait>::Item", "W0511"),
        ] {
            assert_eq!(codes(&format!("struct Row {{ cells: {ty} }}")), [code], "{ty}");
        }
    }

    #[test]
    fn enums_of_numbers_derive_and_others_say_why_not() {
        for right in [
            "#[repr(u8)] enum Side { Buy, Sell }",
            "#[repr(i64)] enum Side { Least = -9_223_372_036_854_775_808, Zero = 0, r#Type }",
            "#[derive(Clone)] #[repr(u8)] enum Side { A = b'A', B = (66), C = 0x43, None = 0 }",
        ] {
            assert_eq!(codes(right), [""; 0], "{right}");
        }
        for (wrong, code) in [
            ("enum Side { Buy, Sell }", "W0507"),
            ("#[repr(C)] enum Side { Buy, Sell }", "W0507"),
            ("#[repr(usize)] enum Side { Buy, Sell }", "W0507"),
            ("#[repr(f64)] enum Side { Buy, Sell }", "W0507"),
            ("#[repr(u8)] enum Side { Buy, Sell(f64) }", "W0507"),
            ("#[repr(u8)] enum Side { Buy, Sell { x: f64 } }", "W0507"),
            ("#[repr(u8)] enum Side<T> { Buy, Sell }", "W0507"),
            ("#[repr(u8)] enum Side { }", "W0507"),
            ("#[repr(u8)] enum Side { Buy = 1, Sell }", "W0507"),
            ("#[repr(u8)] enum Side { Buy, Sell = ONE }", "W0507"),
            ("#[repr(u8)] enum Side { Buy, Sell = 1 << 3 }", "W0507"),
            ("#[repr(u8)] enum Side { Buy, Sell = 256 }", "W0106"),
            ("union Side { a: u8 }", "W0507"),
        ] {
            assert_eq!(codes(wrong), [code], "{wrong}");
        }
    }

    #[test]
    fn structs_that_borrow_derive_and_their_fields_say_how() {
        for right in [
            "struct Row<'a> { cells: &'a [f64], name: &'a str, k: f64, own: Vec<String> }",
            "struct Row<'a, 'b, T: Copy>(&'a [T], &'b [(T, i64)]);",
            "struct Row<'a, 'b> { words: &'a [&'b str], rows: &'a [&'a [f64]] }",
        ] {
            assert_eq!(codes(right), [""; 0], "{right}");
        }
        for (ty, code) in [
            ("&'a f64", "W0511"),
            ("&'a Vec<f64>", "W0511"),
            ("&'a mut [f64]", "W0511"),
            ("Vec<&'a [f64]>", "W0511"),
            ("&'a [&'a f64]", "W0511"),
            ("&'a [(i64, &'a str)]", "W0511"),
            ("(i64, &'a str)", "W0511"),
            ("&'a [char]", "W0319"),
            ("&'a [Box<f64>]", "W0122"),
            ("weldment::Strings<'a>", "W0511"),
            ("Nullable<'a, f64>", "W0511"),
        ] {
            assert_eq!(codes(&format!("struct Row<'a> {{ cells: {ty} }}")), [code], "{ty}");
        }
    }

    #[test]
    fn all_mistakes_are_told_and_each_once() {
        let all = "#[repr(packed)] struct Row { name: char, cells: (Vec<[f64; 65]>, u128), x: f64, next: &'static [u8] }";
        assert_eq!(codes(all), ["W0509", "W0319", "W0121", "W0319", "W0511"]);
        assert_eq!(
            codes("struct Row<'a, const N: usize> { a: &'a [f64], b: [f64; N], c: char, d: &'a mut [f64] }"),
            ["W0508", "W0319", "W0511"]
        );
    }
}
