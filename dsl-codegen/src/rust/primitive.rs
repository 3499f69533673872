//! The names of scalar types where those of the user are in scope, too.
//!
//! Emitted code calls them `f64` and `usize`, as anybody does. A module of its own keeps the user's `struct f64` out of a
//! kernel, but one that names structs or foreign functions cannot have such a module: the block it stands in imports
//! the scalars that it names, which hides the user's.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::quote;
use weldment_runtime::lang::types::{Scalar, Size};

use super::paths::Paths;

/// `use …::primitive::{f64, usize};` for the scalar types that `tokens` name, or nothing if there are none.
pub(super) fn imports(p: &Paths, tokens: &TokenStream) -> TokenStream {
    let mut named = Vec::new();
    collect(tokens.clone(), &mut named);
    if named.is_empty() {
        return TokenStream::new();
    }
    let primitive = p.primitive();
    quote!(use #primitive::{#(#named),*};)
}

/// `tokens` of a type, with the paths of the scalars in place of their names.
pub(super) fn absolute(p: &Paths, tokens: TokenStream) -> TokenStream {
    let mut path = false;
    let absolute = |token: TokenTree| {
        let is_first = !std::mem::replace(&mut path, is_colon(&token));
        match token {
            TokenTree::Group(group) => {
                TokenTree::from(Group::new(group.delimiter(), absolute(p, group.stream()))).into()
            }
            TokenTree::Ident(name) if is_first && is_primitive(&name) => {
                let primitive = p.primitive();
                quote!(#primitive::#name)
            }
            other => TokenStream::from(other),
        }
    };
    tokens.into_iter().map(absolute).collect()
}

fn collect(tokens: TokenStream, named: &mut Vec<Ident>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect(group.stream(), named),
            TokenTree::Ident(name) if is_primitive(&name) && !named.contains(&name) => named.push(name),
            _ => {}
        }
    }
}

fn is_colon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':')
}

fn is_primitive(name: &Ident) -> bool {
    let name = name.to_string();
    Scalar::from_name(&name).is_some() || Size::from_name(&name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_scalars_become_paths_and_imports() {
        let p = Paths::new(quote!(root));
        let ty = quote!(Pair<(f64, root::f64), Vec<i32>, f64>);
        let expected = "Pair<(root::__private::primitive::f64,root::f64),Vec<root::__private::primitive::i32>,\
                        root::__private::primitive::f64>";
        assert_eq!(
            absolute(&p, ty.clone()).to_string().replace(' ', "").replace(",", ", "),
            expected.replace(",", ", ")
        );
        assert_eq!(
            imports(&p, &ty).to_string().replace(' ', ""),
            "useroot::__private::primitive::{f64,i32};"
        );
        assert!(imports(&p, &quote!(Vec<Point>)).is_empty());
    }
}
