//! The user's structs on their way to `weld!`: the question for their fields, and the answer.
//!
//! The answer for `Segment` is what its derive has written:
//!
//! ```text
//! { Segment } { Segment { struct __weld_Segment_f00<> { a: Point, b: Point, id: i64 } }
//!               [ { Point } { Point { struct __weld_Point_ba7<> { x: f64, y: f64 } } [] } ] }
//! ```
//!
//! that is, the path at which it was found, its name, its definition, and the same for each path in there.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fmt::Write;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use weldment_core::diagnostic::{Code, Diagnostic};
use weldment_core::syntax::{self, ast, names};

use crate::rust::{Definition, Structs};

/// What `weld!(input)` expands to if the program names structs: a question to each for its fields.
pub(crate) fn question(
    program: &ast::Program,
    input: &TokenStream,
    facade: &TokenStream,
) -> Option<TokenStream> {
    let named = names::undefined(program);
    let paths: Vec<TokenStream> = named.iter().map(|found| path(&found.path, input)).collect();
    let alone = named.iter().zip(&paths).filter(|(found, _)| found.is_alone);
    let checks: TokenStream = alone.map(|(_, path)| check(path, facade)).collect();
    let collect = quote! {
        {
            #checks
            #facade::__weld_collect! {
                @next [#facade::__private::weld] [#({ #paths })*] []
                #facade; #input
            }
        }
    };
    (!paths.is_empty()).then_some(collect)
}

/// An item that compiles if the type `path` derives `Weld`. A type that does not has no macro to ask, of which rustc says
/// no more than that there is none; but it checks types all the same, and then says what this item needs.
pub(crate) fn check(path: &TokenStream, facade: &TokenStream) -> TokenStream {
    quote! {
        const _: () = {
            const fn is<T: #facade::__private::rt::api::structure::Structure>() {}
            is::<#path>()
        };
    }
}

/// The tokens of a path that stands in `input`.
fn path(name: &ast::Ident, input: &TokenStream) -> TokenStream {
    let segments = name.name.split("::").map(|segment| {
        // The crate of a `macro_rules` macro is a token that cannot be made.
        if segment == "$crate"
            && let Some(token) = find(input, segment)
        {
            return token.to_token_stream();
        }
        // In front of the first `::` of a global path.
        if segment.is_empty() {
            return TokenStream::new();
        }
        let mut ident =
            syn::parse_str::<Ident>(segment).or_else(|_| syn::parse_str::<Ident>(&format!("r#{segment}")));
        if let ("crate" | "self" | "super", Err(_)) = (segment, &ident) {
            ident = Ok(Ident::new(segment, name.span));
        }
        let mut ident = ident.unwrap_or_else(|_| Ident::new("_unknown", name.span));
        ident.set_span(name.span);
        ident.to_token_stream()
    });
    quote!(#(#segments)::*)
}

fn find(tokens: &TokenStream, word: &str) -> Option<Ident> {
    tokens.clone().into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) if ident == word => Some(ident),
        TokenTree::Group(group) => find(&group.stream(), word),
        _ => None,
    })
}

/// The structs in the answers, each after those of its fields.
pub(crate) fn told(answers: TokenStream) -> Result<Structs, Vec<Diagnostic>> {
    let mut definitions = Vec::new();
    for (path, layout) in pairs(answers)? {
        let place = path.clone().into_iter().last().map_or_else(Span::call_site, |token| token.span());
        let id = define(layout, &mut definitions).map_err(|errors| blame(errors, place))?;
        let known = definitions.iter_mut().find(|definition: &&mut Definition| definition.of.name.name == id);
        let known = known.expect("just defined");
        known.of.paths.push(spelt(&path));
        known.of.is_rust = true;
        if known.path.is_none() {
            known.span = place;
            known.path = Some(path);
        }
    }
    Ok(Structs::new(definitions))
}

/// Paths, and the layouts behind them.
fn pairs(tokens: TokenStream) -> Result<Vec<(TokenStream, TokenStream)>, Vec<Diagnostic>> {
    let groups = groups(tokens)?;
    Ok(groups.chunks_exact(2).map(|pair| (pair[0].stream(), pair[1].stream())).collect())
}

fn groups(tokens: TokenStream) -> Result<Vec<Group>, Vec<Diagnostic>> {
    let group = |token| match token {
        TokenTree::Group(group) => Ok(group),
        other => Err(vec![foreign(other.span())]),
    };
    tokens.into_iter().map(group).collect()
}

/// The error of an answer that no derive has written.
fn foreign(span: Span) -> Diagnostic {
    let error = Diagnostic::new(Code::NotDerived, span, "this is no struct that derives `Weld`");
    error.help("add `#[derive(Weld)]` to it, with the version of `weldment` that has this `weld!`")
}

/// The errors of an answer, at the name that it was asked of: of its own tokens the user has written none.
fn blame(errors: Vec<Diagnostic>, place: Span) -> Vec<Diagnostic> {
    errors.into_iter().map(|error| Diagnostic { span: place, ..error }).collect()
}

/// Adds the structs of `layout`, unless they are known; gives the name of its own.
fn define(layout: TokenStream, definitions: &mut Vec<Definition>) -> Result<String, Vec<Diagnostic>> {
    let mut tokens = layout.into_iter();
    let (Some(TokenTree::Ident(shown)), Some(TokenTree::Group(written)), Some(TokenTree::Group(inner))) =
        (tokens.next(), tokens.next(), tokens.next())
    else {
        return Err(vec![foreign(Span::call_site())]);
    };
    let mut inside = Vec::new();
    for (path, layout) in pairs(inner.stream())? {
        inside.push((spelt(&path), define(layout, definitions)?));
    }
    let Some(mut of) = syntax::parse_structs(written.stream())?.pop() else {
        return Err(vec![foreign(shown.span())]);
    };
    of.shown = shown.to_string().trim_start_matches("r#").to_owned();
    of.is_rust = true;
    of.fields.iter_mut().for_each(|(_, ty)| rename(ty, &inside));
    let id = of.name.name.clone();
    if definitions.iter().all(|known| known.of.name.name != id) {
        definitions.push(Definition { of, path: None, span: Span::call_site() });
    }
    Ok(id)
}

/// A path as the parser of the language spells it.
fn spelt(path: &TokenStream) -> String {
    path.to_string().replace(' ', "").replace("r#", "")
}

/// Calls the structs in `ty` by the names of their definitions.
fn rename(ty: &mut ast::Type, names: &[(String, String)]) {
    ty.parts_mut().for_each(|part| rename(part, names));
    if let ast::TypeKind::Name(named) = &mut ty.kind
        && let Some((_, id)) = names.iter().find(|(path, _)| *path == named.name.name)
    {
        named.name.name.clone_from(id);
    }
}

/// Adds the structs to the program.
pub(crate) fn add(structs: &Structs, program: &mut ast::Program) {
    let told = structs.definitions().iter().map(|definition| definition.of.clone());
    program.structs.splice(0..0, told);
}

/// The structs as a program that is text defines them.
pub(crate) fn text(structs: &Structs) -> String {
    let definitions: Vec<&ast::Struct> =
        structs.definitions().iter().map(|definition| &definition.of).collect();
    let taken: HashSet<&String> = definitions.iter().flat_map(|of| &of.paths).collect();
    // A struct that the program does not name goes by its own name, if that is free.
    let names: Vec<Vec<String>> = definitions
        .iter()
        .map(|of| {
            let is_rival = |other: &&&ast::Struct| other.paths.is_empty() && other.shown == of.shown;
            let alone = definitions.iter().filter(is_rival).count() == 1;
            match of.paths.as_slice() {
                [] if alone && !taken.contains(&of.shown) => vec![of.shown.clone()],
                [] => vec![of.name.name.clone()],
                paths => paths.to_vec(),
            }
        })
        .collect();
    let name_of = |id: &str| {
        let known = definitions.iter().position(|of| of.name.name == id);
        known.map_or_else(|| id.to_owned(), |number| names[number][0].clone())
    };
    let mut text = String::new();
    for (of, names) in definitions.iter().zip(&names) {
        let _ = write!(text, "struct {}", names.join(", "));
        if !of.params.is_empty() {
            let params: Vec<&str> = of.params.iter().map(|param| &param.name[..]).collect();
            let _ = write!(text, "<{}>", params.join(", "));
        }
        let is_tuple =
            of.fields.iter().any(|(field, _)| field.name.starts_with(|c: char| c.is_ascii_digit()));
        let field = |(name, ty): &(ast::Ident, ast::Type)| {
            let ty = type_text(ty, &name_of);
            if is_tuple { ty } else { format!("{}: {ty}", name.name) }
        };
        let fields = of.fields.iter().map(field).collect::<Vec<_>>().join(", ");
        let _ = if is_tuple { writeln!(text, "({fields});") } else { writeln!(text, " {{ {fields} }}") };
    }
    text
}

/// The type of a field, in the spelling of Rust.
fn type_text(ty: &ast::Type, name_of: &dyn Fn(&str) -> String) -> String {
    let list =
        |types: &[ast::Type]| types.iter().map(|ty| type_text(ty, name_of)).collect::<Vec<_>>().join(", ");
    match &ty.kind {
        ast::TypeKind::Scalar(scalar) => scalar.to_string(),
        ast::TypeKind::Vec(element) => format!("Vec<{}>", type_text(element, name_of)),
        ast::TypeKind::Dict(key, value) => {
            format!("Dict<{}, {}>", type_text(key, name_of), type_text(value, name_of))
        }
        ast::TypeKind::Struct(fields) => format!("{{{}}}", list(fields)),
        ast::TypeKind::Name(named) if named.args.is_empty() => name_of(&named.name.name),
        ast::TypeKind::Name(named) => format!("{}<{}>", name_of(&named.name.name), list(&named.args)),
        _ => "?".to_owned(),
    }
}
