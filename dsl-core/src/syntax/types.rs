//! Types, in both spellings.

use proc_macro2::{Delimiter, Span};
use weldment_runtime::lang::decimal::Scale;
use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::types::{MOST_AXES, MOST_FIXED, Pointer, Scalar, Size};

use super::ast::{Axes, AxisName, BuilderKind, ExprKind, Ident, NamedType, Type, TypeKind};
use super::input::{Input, Parsed};
use super::{builder, control, literal, words};
use crate::diagnostic::{Code, Diagnostic};

/// The type after `symbol`, which is `:` or `->`, if that is here.
pub(super) fn annotation(input: &mut Input<'_>, symbol: &str) -> Parsed<Option<Type>> {
    if input.take(symbol).is_none() {
        return Ok(None);
    }
    Ok(Some(delimited(input)?))
}

/// A type where no comparison can follow, so that `<` belongs to it.
pub(super) fn delimited(input: &mut Input<'_>) -> Parsed<Type> {
    part(input).map(referred)
}

/// The same, as a part of another: only there it counts what is a reference.
fn part(input: &mut Input<'_>) -> Parsed<Type> {
    let mut ty = with_references(input)?;
    arguments(input, &mut ty)?;
    Ok(ty)
}

/// What stands between `<` and `>` behind a name.
fn arguments(input: &mut Input<'_>, ty: &mut Type) -> Parsed<()> {
    let NamedType { name, args } = match &mut ty.kind {
        TypeKind::Reference { of, .. } => return arguments(input, of),
        TypeKind::Name(named) if input.at("<") => &mut **named,
        _ => return Ok(()),
    };
    if let Some(kind) = boxed(input, name)? {
        ty.kind = kind;
        return Ok(());
    }
    if let Some(instead) = instead_of_generic(&name.name) {
        let message = format!("there is no type `{}<…>`", name.name);
        return Err(Diagnostic::new(Code::NoSuchGeneric, name.span, message).help(instead));
    }
    input.expect("<")?;
    while !input.at(">") {
        if !input.take_lifetime() {
            args.push(part(input)?);
        }
        if input.take(",").is_none() && !input.at(">") {
            return Err(input.unexpected("`,` or `>`"));
        }
    }
    input.expect(">").map(drop)
}

/// What stands between `<` and `>` behind `Box` or `Arc`: a slice or a text, which is read as behind a `&`. `None` if it is neither.
fn boxed(input: &mut Input<'_>, name: &Ident) -> Parsed<Option<TypeKind>> {
    let last = name.name.rsplit("::").next().unwrap_or_default();
    let Some(by) = Pointer::from_name(last) else { return Ok(None) };
    let mut inside = input.clone();
    inside.expect("<")?;
    if !inside.at_word("str") && !inside.at_group(Delimiter::Bracket) {
        return Ok(None);
    }
    let of = referent(&mut inside)?;
    inside.take(",");
    inside.expect(">")?;
    *input = inside;
    Ok(Some(TypeKind::Reference { of: Box::new(of), by, is_taken: false }))
}

/// What to pass in place of a generic type of Rust that the language does not have.
fn instead_of_generic(name: &str) -> Option<&'static str> {
    let last = name.rsplit("::").next().unwrap_or(name);
    Some(match last {
        "HashMap" | "BTreeMap" => "a dictionary is a `Dict<K, V>`: collect one from the pairs",
        "Box" | "Arc" => {
            "of what lies behind one, programs read slices and texts, `&[Box<[f64]>]` and `&[Arc<str>]`; write the type that is in it"
        }
        "Rc" => {
            "an `Rc` stays on its thread, and programs run on several: write `Arc<str>`, or give them `&[&str]`"
        }
        "Cow" | "HashSet" | "BTreeSet" | "VecDeque" | "Result" => {
            "the types are scalars, tuples, `&[T]`, `Vec<T>`, `Option<T>`, `Dict<K, V>` and structs that derive `Weld`"
        }
        _ => return None,
    })
}

/// A type.
pub(super) fn ty(input: &mut Input<'_>) -> Parsed<Type> {
    with_references(input).map(referred)
}

fn with_references(input: &mut Input<'_>) -> Parsed<Type> {
    input.deeper(nested)
}

/// What `ty` refers to, if it is a reference.
fn referred(mut ty: Type) -> Type {
    while let TypeKind::Reference { of, .. } = ty.kind {
        ty = *of;
    }
    ty
}

fn nested(input: &mut Input<'_>) -> Parsed<Type> {
    control::annotations(input)?;
    if let Some(mut inside) = input.enter_invisible() {
        let ty = ty(&mut inside)?;
        inside.expect_end()?;
        return Ok(ty);
    }
    let span = input.span();
    if input.take("?").is_some() || input.take_word("_").is_some() {
        return Ok(Type { kind: TypeKind::Infer, span });
    }
    if input.take("&").is_some() {
        let of = Box::new(referent(input)?);
        return Ok(Type { kind: TypeKind::Reference { of, by: Pointer::Ref, is_taken: false }, span });
    }
    if let Some((inside, _)) = input.enter(Delimiter::Brace) {
        return Ok(Type { kind: TypeKind::Struct(fields(inside)?), span });
    }
    if let Some((inside, _)) = input.enter(Delimiter::Parenthesis) {
        return tuple(inside, span);
    }
    if let Some((inside, _)) = input.enter(Delimiter::Bracket) {
        let (element, len) = slice(inside)?;
        let Some(len) = len else {
            let error = Diagnostic::new(Code::Expected, span, "expected a type, found `[`");
            return Err(
                error.help("a vector of `T` is `&[T]`, `Vec<T>` or `vec[T]`; `[T; 3]` is an array of three")
            );
        };
        return Ok(Type { kind: TypeKind::FixedArray(Box::new(element), len), span });
    }
    if input.take_word("impl").is_some() {
        return function(input, span);
    }
    let is_global = input.take("::").is_some();
    let Some((word, _)) = input.word() else { return Err(input.unexpected("a type")) };
    let mut kind = named(input, word)?;
    if let (TypeKind::Name(named), true) = (&mut kind, is_global) {
        named.name.name.insert_str(0, "::");
    }
    Ok(Type { kind, span })
}

/// What follows `impl`: `Fn(A, B) -> C`.
fn function(input: &mut Input<'_>, span: Span) -> Parsed<Type> {
    const FORM: &str = "the functions that a function takes are written `impl Fn(f64) -> bool`";
    if input.take_word("Fn").is_none() {
        return Err(input.unexpected("`Fn`").help(FORM));
    }
    let (params, _) = input.expect_group(Delimiter::Parenthesis)?;
    let params = params.list(part)?;
    let Some(result) = annotation(input, "->")? else {
        return Err(Diagnostic::new(Code::NoValue, span, "this function gives nothing").help(FORM));
    };
    Ok(Type { kind: TypeKind::Function(params, Box::new(result)), span })
}

/// What follows `&`: a slice, or any other type.
fn referent(input: &mut Input<'_>) -> Parsed<Type> {
    if input.at_word("mut") {
        let error = Diagnostic::new(Code::NoMutation, input.span(), "arguments cannot be changed");
        return Err(error.help("leave out `mut`; what a program computes is its result"));
    }
    let span = input.span();
    if input.take_word("str").is_some() {
        return Ok(Type { kind: TypeKind::Text, span });
    }
    let Some((inside, _)) = input.enter(Delimiter::Bracket) else { return with_references(input) };
    let (element, len) = slice(inside)?;
    let element = Box::new(element);
    let kind = match len {
        Some(len) => TypeKind::FixedArray(element, len),
        None => TypeKind::Vec(element),
    };
    Ok(Type { kind, span })
}

/// What stands between brackets: the type of the elements, and how many there are if that is said.
fn slice(mut inside: Input<'_>) -> Parsed<(Type, Option<usize>)> {
    let element = part(&mut inside)?;
    if inside.take(";").is_none() {
        inside.expect_end()?;
        return Ok((element, None));
    }
    let span = inside.span();
    let len = inside.take_literal().and_then(|len| match literal::literal(&len).ok()?.kind {
        ExprKind::Integer(len) => usize::try_from(len).ok(),
        ExprKind::Const(len) => usize::try_from(len.as_integer()?).ok(),
        _ => None,
    });
    match len {
        Some(len @ 1..=MOST_FIXED) => {
            inside.expect_end()?;
            Ok((element, Some(len)))
        }
        _ => {
            let message = format!("the length of an array is a number from 1 to {MOST_FIXED}");
            Err(Diagnostic::new(Code::NoFixedLength, span, message)
                .help("`[f64; 3]` is an array of three; one of any length is a vector: `&[T]`, `Vec<T>`"))
        }
    }
}

/// At least one type, between braces or parentheses.
fn fields(inside: Input<'_>) -> Parsed<Vec<Type>> {
    if inside.is_end() {
        return Err(inside.unexpected("a type"));
    }
    inside.list(part)
}

/// `(A, B)`; `(A)` is A.
fn tuple(mut inside: Input<'_>, span: Span) -> Parsed<Type> {
    let first = part(&mut inside)?;
    if !inside.comma_or_end()? {
        return Ok(first);
    }
    let mut types = vec![first];
    types.extend(inside.list(part)?);
    Ok(Type { kind: TypeKind::Struct(types), span })
}

/// A type that begins with a word.
fn named(input: &mut Input<'_>, word: String) -> Parsed<TypeKind> {
    if let Some(size) = Size::from_name(&word) {
        input.skip();
        return Ok(TypeKind::Size(size));
    }
    if let Some(error) = words::foreign(input) {
        return Err(error);
    }
    let span = input.span();
    input.skip();
    if let Some(scalar) = Scalar::from_name(&word) {
        return Ok(TypeKind::Scalar(scalar));
    }
    if let Some(kind) = BuilderKind::from_name(&word) {
        return Ok(TypeKind::Builder(Box::new(builder::ty(input, kind)?)));
    }
    match word.as_str() {
        "str" | "String" => Ok(TypeKind::Text),
        "vec" => {
            let [element] = bracketed(input, "vec[T]")?;
            Ok(TypeKind::Vec(element))
        }
        "option" if input.at_group(Delimiter::Bracket) => {
            let [value] = bracketed(input, "option[T]")?;
            Ok(TypeKind::Option(value))
        }
        "dict" => {
            let [key, value] = bracketed(input, "dict[K, V]")?;
            Ok(TypeKind::Dict(key, value))
        }
        "array" => {
            let mut inside = brackets(input, ARRAY)?;
            let kind = array(&mut inside, ARRAY)?;
            inside.last_in(ARRAY)?;
            Ok(kind)
        }
        "Fixed" if at_scale(input) => scale_of(input).map(TypeKind::Fixed),
        _ if is_generic(&word) => generic(input, &word),
        _ if words::is_keyword(&word) => {
            Err(Diagnostic::new(Code::Expected, span, format!("expected a type, found `{word}`"))
                .help("the types are scalars, tuples, `&[T]`, `Vec<T>`, `Option<T>` and `Dict<K, V>`"))
        }
        _ => path(input, word, span),
    }
}

/// Whether the number of digits of a decimal number comes, `<2>` or `::<2>`: a struct of the user's takes types there.
pub(super) fn at_scale(input: &Input<'_>) -> bool {
    let mut ahead = input.clone();
    ahead.take("::");
    ahead.take("<").is_some() && ahead.take_literal().is_some()
}

/// `<2>` or `::<2>`: the number of digits behind the point.
pub(super) fn scale_of(input: &mut Input<'_>) -> Parsed<Scale> {
    input.take("::");
    input.expect("<")?;
    let scale = scale(input)?;
    input.take(",");
    input.expect(">")?;
    Ok(scale)
}

/// A number of digits behind the point, which is a literal.
pub(super) fn scale(input: &mut Input<'_>) -> Parsed<Scale> {
    let span = input.span();
    let digits = input.take_literal().and_then(|digits| digits.to_string().parse().ok());
    digits.and_then(Scale::new).ok_or_else(|| {
        let message = format!("the scale of a `Fixed` is a number from 0 to {}", Scale::MOST);
        Diagnostic::new(Code::NoFixed, span, message)
            .help("`Fixed<2>` has two digits behind the point; an i64 has no more than 18 of them")
    })
}

/// Whether `word` is the name of one of the language's types that take types.
fn is_generic(word: &str) -> bool {
    matches!(word, "Vec" | "Option" | "Dict" | "Array" | "ArrayView")
}

/// A name, or the last name of a path.
fn path(input: &mut Input<'_>, first: String, span: Span) -> Parsed<TypeKind> {
    let (mut name, mut span) = (first, span);
    while input.take("::").is_some() {
        let Some((word, last)) = input.word() else { return Err(input.unexpected("the name of a type")) };
        span = last;
        let is_string = word == "String" && ["std::string", "alloc::string"].contains(&name.as_str());
        let mut behind = input.clone();
        behind.skip();
        let is_fixed = word == "Fixed" && at_scale(&behind);
        if is_generic(&word) || Scalar::from_name(&word).is_some() || is_string || is_fixed {
            return named(input, word);
        }
        input.skip();
        name = format!("{name}::{word}");
    }
    Ok(TypeKind::Name(Box::new(NamedType { name: words::ident(name, span), args: Vec::new() })))
}

const ARRAY: &str = "array[T, N]";

/// `T, N`: of an array, the type of the elements and the number of axes.
fn array(input: &mut Input<'_>, form: &str) -> Parsed<TypeKind> {
    let element = part(input)?;
    if input.take(";").is_some() {
        let names = axis_names(input)?;
        let axes = Axes { count: names.len(), names: Some(names), is_bracketed: form == ARRAY };
        return Ok(TypeKind::Array(Box::new(element), axes));
    }
    if input.take(",").is_none() {
        let error = input.unexpected("`,`");
        return Err(error.help(format!("the form is `{form}`, where N is the number of axes: 2 of a matrix")));
    }
    let span = input.span();
    let Some(axes) = input.take_literal() else { return Err(input.unexpected("the number of axes")) };
    let axes = axes.to_string().parse::<usize>().ok();
    match axes.filter(|&axes| axes <= MOST_AXES) {
        Some(0) => Ok(element.kind),
        Some(count) => {
            let axes = Axes { count, names: None, is_bracketed: form == ARRAY };
            Ok(TypeKind::Array(Box::new(element), axes))
        }
        None => {
            let message = format!("an array has 0 to {MOST_AXES} axes");
            Err(Diagnostic::new(Code::Expected, span, message)
                .help("its type says how many: `array[f64, 2]`"))
        }
    }
}

/// `Cell, 3`: what each axis is.
fn axis_names(input: &mut Input<'_>) -> Parsed<Vec<AxisName>> {
    let mut names = Vec::new();
    loop {
        let span = input.span();
        names.push(match input.take_literal() {
            Some(extent) => match extent.to_string().parse() {
                Ok(extent) => AxisName::Extent(extent),
                Err(_) => {
                    let message = format!("`{extent}` is no extent of an axis");
                    return Err(Diagnostic::new(Code::Expected, span, message)
                        .help("an axis has a name, or so many elements: `array[i32; Vertex, 6]`"));
                }
            },
            None => AxisName::Axis(words::new_name(input)?),
        });
        if names.len() > MOST_AXES {
            let message = format!("an array has 1 to {MOST_AXES} axes");
            return Err(Diagnostic::new(Code::Expected, span, message).help("leave some of them out"));
        }
        if input.take(",").is_none() || input.at(">") || input.is_end() {
            return Ok(names);
        }
    }
}

/// `Vec<T>`, `Option<T>`, `Array<T, N>`, `ArrayView<T, N>` or `Dict<K, V>`, after the name.
fn generic(input: &mut Input<'_>, name: &str) -> Parsed<TypeKind> {
    input.take("::");
    input.expect("<")?;
    if name.starts_with("Array") {
        let kind = array(input, &format!("{name}<T, N>"))?;
        input.take(",");
        input.expect(">")?;
        return Ok(match kind {
            TypeKind::Array(element, axes) if name == "ArrayView" => TypeKind::View(element, axes),
            kind => kind,
        });
    }
    let first = Box::new(part(input)?);
    let kind = match name {
        "Vec" => TypeKind::Vec(first),
        "Option" => TypeKind::Option(first),
        _ => {
            input.expect(",")?;
            TypeKind::Dict(first, Box::new(part(input)?))
        }
    };
    input.take(",");
    input.expect(">")?;
    Ok(kind)
}

/// `[A]`, `[A, B]`: as many types as the caller wants.
pub(super) fn bracketed<const N: usize>(input: &mut Input<'_>, form: &str) -> Parsed<[Box<Type>; N]> {
    let mut inside = brackets(input, form)?;
    let types = comma_separated(&mut inside, form)?;
    inside.last_in(form)?;
    Ok(types)
}

pub(super) fn brackets<'a>(input: &mut Input<'a>, form: &str) -> Parsed<Input<'a>> {
    match input.enter(Delimiter::Bracket) {
        Some((inside, _)) => Ok(inside),
        None => Err(input.unexpected("`[`").help(format!("the form is `{form}`"))),
    }
}

fn comma_separated<const N: usize>(inside: &mut Input<'_>, form: &str) -> Parsed<[Box<Type>; N]> {
    let mut types = Vec::with_capacity(N);
    for i in 0..N {
        if i > 0 {
            inside.comma_in(form)?;
        }
        types.push(Box::new(part(inside)?));
    }
    Ok(types.try_into().expect("as many as were pushed"))
}

/// The operator of a merger.
pub(super) fn operator(input: &mut Input<'_>) -> Parsed<ReduceOp> {
    let name = match input.word() {
        Some((word, _)) => Some(word),
        None => input.symbol().map(str::to_string),
    };
    let Some(op) = name.and_then(|name| ReduceOp::from_name(&name)) else {
        return Err(input.unexpected("an operator: `+`, `*`, `min` or `max`"));
    };
    input.skip();
    Ok(op)
}
