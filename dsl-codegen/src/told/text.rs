//! What was told, as a program that is text defines it.

use std::collections::HashSet;
use std::fmt::Write;

use proc_macro2::TokenStream;
use weldment_core::syntax::ast;

use super::opaque::is_opaque;
use super::renamed::{Renaming, has_path, renamed};
use super::{Library, Told};
use crate::text as tokens;

/// The name of an item in the text, and the others that it has there.
struct Named<'a> {
    id: &'a str,
    names: Vec<String>,
}

/// What was told, as a program that is text defines it, in front of the one that is `written`.
pub(crate) fn text(told: &Told, written: &TokenStream) -> String {
    let structs: Vec<&ast::Struct> =
        told.structs.definitions().iter().map(|definition| &definition.of).collect();
    let items = structs.iter().map(|of| (of.name.name.as_str(), &of.shown, of.paths.as_slice()));
    let items: Vec<_> = items
        .chain(told.welded.iter().map(|of| (of.of.name().name.as_str(), &of.shown, of.of.paths())))
        .collect();
    let taken: HashSet<&String> = items.iter().flat_map(|(_, _, paths)| *paths).collect();
    // What the program does not name goes by its own name, if that is free.
    let named = items.iter().map(|&(id, shown, paths)| {
        let rivals = items.iter().filter(|(_, other, paths)| paths.is_empty() && *other == shown);
        let is_free = || rivals.count() == 1 && !taken.contains(shown) && !has_path(written, shown);
        let names = match paths {
            [] if is_free() => vec![shown.clone()],
            [] => vec![id.to_owned()],
            paths => paths.to_vec(),
        };
        Named { id, names }
    });
    let mut named: Vec<Named<'_>> = named.collect();
    name_apart(&mut named[structs.len()..], &told.welded);
    let name_of = |id: &str| {
        let known = named.iter().find(|known| known.id == id);
        known.map_or_else(|| id.to_owned(), |known| known.names[0].clone())
    };
    let mut text = String::new();
    for (of, named) in structs.iter().zip(&named) {
        write_struct(&mut text, of, &named.names, &name_of);
    }
    let tokens_of = |named: &Named<'_>| Some((named.id.to_owned(), named.names[0].parse().ok()?));
    let renaming: Renaming = named.iter().filter_map(tokens_of).collect();
    for (of, named) in told.welded.iter().zip(&named[structs.len()..]) {
        write_welded(&mut text, of, &named.names, &renaming);
    }
    text
}

fn write_struct(text: &mut String, of: &ast::Struct, names: &[String], name_of: &dyn Fn(&str) -> String) {
    if let [(_, number), ..] = &of.fields[..]
        && !of.variants.is_empty()
    {
        let variant = |(variant, number): &(ast::Ident, i128)| format!("{} = {number}", variant.name);
        let variants: Vec<String> = of.variants.iter().map(variant).collect();
        let number = type_text(number, name_of);
        let _ = writeln!(text, "enum {}: {number} {{ {} }}", names.join(", "), variants.join(", "));
        return;
    }
    let _ = write!(text, "struct {}", names.join(", "));
    if !of.params.is_empty() {
        let params: Vec<&str> = of.params.iter().map(|param| &param.name[..]).collect();
        let _ = write!(text, "<{}>", params.join(", "));
    }
    let is_tuple = of.fields.iter().any(|(field, _)| field.name.starts_with(|c: char| c.is_ascii_digit()));
    let field = |(name, ty): &(ast::Ident, ast::Type)| {
        let ty = type_text(ty, name_of);
        if is_tuple { ty } else { format!("{}: {ty}", name.name) }
    };
    let fields = of.fields.iter().map(field).collect::<Vec<_>>().join(", ");
    let _ = if is_tuple { writeln!(text, "({fields});") } else { writeln!(text, " {{ {fields} }}") };
}

/// Gives functions of Rust that would be foreign functions of one name names that no others have.
fn name_apart(named: &mut [Named<'_>], welded: &[Library]) {
    let mut taken = HashSet::new();
    for (named, _) in named.iter_mut().zip(welded).filter(|(_, of)| is_opaque(&of.item)) {
        let symbol = named.names[0].rsplit("::").next().unwrap_or_default().to_owned();
        if !taken.insert(symbol) {
            named.names.insert(0, named.id.to_owned());
        }
    }
}

fn write_welded(text: &mut String, of: &Library, names: &[String], renaming: &Renaming) {
    let mut item = of.item.clone().into_iter();
    let mut word = item.next().map_or_else(String::new, |word| word.to_string());
    let mut attribute = "#[welded]";
    if is_opaque(&of.item) {
        (attribute, word) =
            ("#[welded(opaque)]", item.next().map_or_else(String::new, |word| word.to_string()));
    }
    let behind = tokens::text(renamed(item.skip(1).collect(), renaming)).text;
    let _ = writeln!(text, "{attribute} {word} {}{behind}", names.join(", "));
}

/// The type of a field, in the spelling of Rust.
fn type_text(ty: &ast::Type, name_of: &dyn Fn(&str) -> String) -> String {
    let list =
        |types: &[ast::Type]| types.iter().map(|ty| type_text(ty, name_of)).collect::<Vec<_>>().join(", ");
    match &ty.kind {
        ast::TypeKind::Scalar(scalar) => scalar.to_string(),
        ast::TypeKind::Size(size) => size.name().to_owned(),
        ast::TypeKind::Text => "String".to_owned(),
        ast::TypeKind::Fixed(scale) => scale.name().to_owned(),
        ast::TypeKind::Reference { of, .. } => type_text(of, name_of),
        ast::TypeKind::Vec(element) => format!("Vec<{}>", type_text(element, name_of)),
        ast::TypeKind::FixedArray(element, len) => format!("[{}; {len}]", type_text(element, name_of)),
        ast::TypeKind::Option(value) => format!("Option<{}>", type_text(value, name_of)),
        ast::TypeKind::Dict(key, value) => {
            format!("Dict<{}, {}>", type_text(key, name_of), type_text(value, name_of))
        }
        ast::TypeKind::Struct(fields) => format!("{{{}}}", list(fields)),
        ast::TypeKind::Name(named) if named.args.is_empty() => name_of(&named.name.name),
        ast::TypeKind::Name(named) => format!("{}<{}>", name_of(&named.name.name), list(&named.args)),
        _ => "?".to_owned(),
    }
}
