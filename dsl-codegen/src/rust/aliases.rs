//! What stands in front of a kernel for the user's structs that it names.
//!
//! A struct that the program names is found at the path that it names it by. One that is only a field of others is found
//! through them: `<Segment as Part<0>>::Type`. Either gets an alias, `type __Struct0 = …;`, for values cannot be made by such
//! a path.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use weldment_core::syntax::ast;
use weldment_runtime::lang::types::{Type, UserName};

use super::paths::Paths;
use super::structs::Definition;
use super::taken::Lent;
use super::{primitive, types};

/// The aliases of what has been named, and the conditions on it, to stand in front of a kernel that has `types` in its
/// values and takes the structs `lent`. Whatever naming these takes is named, too.
pub(super) fn items(p: &Paths, types: &[Type], lent: &[&Lent]) -> TokenStream {
    let mut items: TokenStream = lent.iter().map(|lent| lent_item(p, lent)).collect();
    // Naming one may take others.
    let mut number = 0;
    loop {
        let next = p.structs().named(number);
        let Some((name, ty)) = next else { return items };
        let (path, span) = path(p, &name, types, lent);
        let alias = format_ident!("__Struct{number}");
        let bound = if ty.is_scalars() { p.plain() } else { p.cloned() };
        let check = located(quote!(is::<#alias>()), span);
        items.extend(quote! {
            type #alias = #path;
            const _: () = {
                const fn is<T: #bound>() {}
                #check
            };
        });
        number += 1;
    }
}

/// The alias of a struct that borrows, which is found at the path that the program names it by.
fn lent_item(p: &Paths, lent: &Lent) -> TokenStream {
    let definition = p.structs().find(&lent.name.of).expect("a struct that borrows is told");
    let path = &definition.path;
    let args = lent.name.args.iter().map(|arg| primitive::absolute(p, types::owned(p, arg)));
    let alias = lent.alias();
    // The same for each of its lifetimes.
    let lifetimes = vec![quote!('a); definition.of.lifetimes];
    quote!(type #alias<'a> = #path<#(#lifetimes,)* #(#args),*>;)
}

/// `tokens`, said to stand at `span`; what their names mean does not change.
fn located(tokens: TokenStream, span: Span) -> TokenStream {
    let move_token = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), located(group.stream(), span)).into();
        }
        token.set_span(token.span().located_at(span));
        token
    };
    tokens.into_iter().map(move_token).collect()
}

/// Where the struct `name` is found, and the token to blame for it.
fn path(p: &Paths, name: &UserName, types: &[Type], lent: &[&Lent]) -> (TokenStream, Span) {
    let definition = p.structs().find(&name.of);
    if let Some(Definition { path: Some(path), span, .. }) = definition {
        let arg = |arg| primitive::absolute(p, types::owned(p, arg));
        let args: Vec<TokenStream> = name.args.iter().map(arg).collect();
        return (if args.is_empty() { quote!(#path) } else { quote!(#path<#(#args),*>) }, *span);
    }
    let mut found = None;
    for ty in types {
        for_each_struct(ty, &mut |outer, ty| {
            if found.is_none() {
                let number = part(p, outer, ty.fields().unwrap_or_default(), name);
                found = number.map(|number| (p.structs().alias(outer, ty).into_token_stream(), number));
            }
        });
    }
    let in_lent = |lent: &&Lent| {
        let (alias, number) = (lent.alias(), part(p, &lent.name, &lent.fields, name)?);
        Some((quote!(#alias<'static>), number))
    };
    // A struct that the program does not name comes from a field of another.
    let Some((outer, number)) = found.or_else(|| lent.iter().find_map(in_lent)) else {
        return (quote!(_), Span::call_site());
    };
    let part_type = p.part_type();
    let span = p.structs().find(&name.of).map_or_else(Span::call_site, |definition| definition.span);
    (quote!(<#outer as #part_type<#number>>::Type), span)
}

/// The number of the struct `name` among the parts of the struct `outer`, whose fields have these types.
fn part(p: &Paths, outer: &UserName, fields: &[Type], name: &UserName) -> Option<usize> {
    let definition = &p.structs().find(&outer.of)?.of;
    let mut parts = Vec::new();
    for ((_, written), ty) in definition.fields.iter().zip(fields) {
        parts_of(definition, written, ty, &mut parts);
    }
    parts.iter().position(|part| part.as_ref() == Some(name))
}

/// The structs in a field, in the order in which its type is written, as the derive numbers them.
fn parts_of(definition: &ast::Struct, written: &ast::Type, ty: &Type, parts: &mut Vec<Option<UserName>>) {
    let ast::TypeKind::Name(named) = &written.kind else {
        if let Some(value) = ty.as_option() {
            return written.parts().for_each(|written| parts_of(definition, written, value, parts));
        }
        let both = written.parts().zip(ty.parts());
        return both.for_each(|(written, ty)| parts_of(definition, written, ty, parts));
    };
    let is_param = definition.params.iter().any(|param| param.name == named.name.name);
    // Dates have names, too, and are no parts.
    if is_param || ty.as_temporal().is_some() || ty.as_half().is_some() {
        return;
    }
    let name = ty.user_name();
    parts.push(name.cloned());
    let args = name.map_or(&[][..], |name| &name.args);
    named.args.iter().zip(args).for_each(|(written, ty)| parts_of(definition, written, ty, parts));
}

/// Calls `visit` on each struct with a name inside `ty`, the outer ones first.
fn for_each_struct(ty: &Type, visit: &mut dyn FnMut(&UserName, &Type)) {
    if let Some(name) = ty.user_name() {
        visit(name, ty);
    }
    ty.parts().for_each(|part| for_each_struct(part, visit));
}
