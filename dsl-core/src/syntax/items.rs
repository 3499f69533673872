//! Functions and constants: `fn NAME(PARAM: TYPE) -> RESULT { BODY }`, `const NAME: TYPE = VALUE;`.

use proc_macro2::Delimiter;

use super::ast::{
    Binding, Bound, Closure, Constant, Expr, ExprKind, Function, Ident, Param, Pattern, TypeParam, Use,
};
use super::expr::expression;
use super::input::{Input, Parsed};
use super::pattern::param;
use super::{control, structs, types, words};
use crate::diagnostic::{Code, Diagnostic};

/// What follows `fn`.
pub(super) fn function(input: &mut Input<'_>) -> Parsed<Function> {
    let name = words::new_name(input)?;
    function_named(input, name)
}

/// What follows the name of a function.
pub(super) fn function_named(input: &mut Input<'_>, name: Ident) -> Parsed<Function> {
    let generics = generics(input)?;
    let (params, _) = input.expect_group(Delimiter::Parenthesis)?;
    let params = params.list(typed_param)?;
    let Some(result) = types::annotation(input, "->")? else {
        let message = format!("the function `{}` gives nothing", name.name);
        return Err(Diagnostic::new(Code::NoValue, name.span, message)
            .help("write what it gives behind its parameters: `fn f(x: f64) -> f64 { … }`"));
    };
    if input.at_word("where") {
        let error = Diagnostic::new(Code::NoPlaceHere, input.span(), "there is no `where`");
        return Err(error.help("write the bound of a type parameter behind it: `fn f<T: Float>(x: T) -> T`"));
    }
    let body = Box::new(control::body(input)?);
    let span = name.span;
    let closure = Closure { params, result: Some(result), body, span };
    Ok(Function { name, paths: Vec::new(), is_welded: false, generics, closure })
}

/// `<T, U: Float>`, or nothing.
fn generics(input: &mut Input<'_>) -> Parsed<Vec<TypeParam>> {
    let mut generics = Vec::new();
    if input.take("<").is_none() {
        return Ok(generics);
    }
    while !input.at(">") {
        let name = words::new_name(input)?;
        let bound = if input.take(":").is_some() { bound(input)? } else { Bound::Any };
        generics.push(TypeParam { name, bound });
        if input.take(",").is_none() && !input.at(">") {
            return Err(input.unexpected("`,` or `>`"));
        }
    }
    input.expect(">")?;
    Ok(generics)
}

fn bound(input: &mut Input<'_>) -> Parsed<Bound> {
    let span = input.span();
    let Some((word, _)) = input.take_any_word() else { return Err(input.unexpected("a bound")) };
    if let Some(bound) = Bound::NAMED.into_iter().find(|bound| bound.name() == word) {
        return Ok(bound);
    }
    let error = Diagnostic::new(Code::UnknownName, span, format!("there is no bound `{word}`"));
    Err(match word.as_str() {
        "Fn" | "FnMut" | "FnOnce" => error.help("say it of the parameter: `f: impl Fn(f64) -> f64`"),
        _ => error.help("there are `Float`, `Int` and `Number`; without a bound it is any type"),
    })
}

/// `PATTERN: TYPE`
fn typed_param(input: &mut Input<'_>) -> Parsed<Param> {
    control::wanted(input, false)?;
    let param = param(input)?;
    if param.ty.is_none() {
        let name = if let Pattern::Name(name) = &param.pattern { name.name.as_str() } else { "x" };
        let message = "a parameter of a function needs a type";
        return Err(Diagnostic::new(Code::Untyped, param.pattern.span(), message)
            .help(format!("write `{name}: f64`, or whatever it is")));
    }
    Ok(param)
}

/// What `const` begins in front of a program.
pub(super) enum ConstantItem {
    /// `const NAME: TYPE = VALUE;`
    Defined(Constant),
    /// `const a::NAME: TYPE;`, whose value comes from outside.
    Outside(Param),
}

/// What follows `const` in front of a program.
pub(super) fn constant_item(input: &mut Input<'_>) -> Parsed<ConstantItem> {
    let mut ahead = input.clone();
    let name = structs::item_name(&mut ahead)?;
    if let Some(ty) = types::annotation(&mut ahead, ":")? {
        if ahead.take(";").is_some() {
            *input = ahead;
            return Ok(ConstantItem::Outside(Param { pattern: Pattern::Name(name), ty: Some(ty) }));
        }
        if name.name.contains("::") {
            let message = "a constant that the program defines has a name and no path";
            return Err(Diagnostic::new(Code::NoPlaceHere, name.span, message)
                .help("leave out the path; or the value, if that comes from outside"));
        }
    }
    Ok(ConstantItem::Defined(constant(input)?))
}

/// What follows `const`.
pub(super) fn constant(input: &mut Input<'_>) -> Parsed<Constant> {
    let name = words::new_name(input)?;
    constant_named(input, name)
}

/// What follows the name of a constant.
pub(super) fn constant_named(input: &mut Input<'_>, name: Ident) -> Parsed<Constant> {
    let Some(ty) = types::annotation(input, ":")? else {
        let message = format!("the constant `{}` needs a type", name.name);
        return Err(Diagnostic::new(Code::Untyped, name.span, message)
            .help(format!("write `const {}: f64 = …;`, or whatever it is", name.name)));
    };
    input.expect("=")?;
    let value = expression(input)?;
    input.expect(";")?;
    Ok(Constant { name, paths: Vec::new(), is_welded: false, ty, value })
}

/// The `fn` or `const` that stands here in a block: a name for a function or a value, from here on.
pub(super) fn local(input: &mut Input<'_>) -> Parsed<Option<Binding>> {
    if input.take_word("const").is_some() {
        let Constant { name, ty, value, .. } = constant(input)?;
        return Ok(Some(Binding { pattern: Pattern::Name(name), ty: Some(ty), value }));
    }
    if input.take_word("fn").is_none() {
        return Ok(None);
    }
    let Function { name, generics, closure, .. } = function(input)?;
    if let Some(TypeParam { name, .. }) = generics.first() {
        let error = Diagnostic::new(
            Code::NoPlaceHere,
            name.span,
            "a function with type parameters stands in front of the program",
        );
        return Err(error.help("move it there; what it needs of the block it takes as a parameter"));
    }
    // As in Rust, where an item ends by itself and this is a statement of nothing.
    input.take(";");
    let value = Expr { span: closure.span, kind: ExprKind::Closure(closure) };
    Ok(Some(Binding { pattern: Pattern::Name(name), ty: None, value }))
}

/// What follows `use`: `a::b::{c, d as e};`, a name for each leaf.
pub(super) fn uses(input: &mut Input<'_>) -> Parsed<Vec<Use>> {
    let mut uses = Vec::new();
    let path = if input.take("::").is_some() { "::" } else { "" };
    use_tree(input, path, &mut uses)?;
    input.expect(";")?;
    Ok(uses)
}

/// `a::b::{c, d as e}` behind the path `before`.
fn use_tree(input: &mut Input<'_>, before: &str, uses: &mut Vec<Use>) -> Parsed<()> {
    if let Some((inside, _)) = input.enter(Delimiter::Brace) {
        return inside.list(|input| use_tree(input, before, uses)).map(drop);
    }
    if input.at_symbol("*") {
        let error = Diagnostic::new(Code::NoPlaceHere, input.span(), "a program uses names one by one");
        return Err(error.help("name what it uses: `use shop::{discount, taxed};`; a `use` of Rust around the program may have a `*`"));
    }
    let last = words::any_name(input)?;
    let path = Ident { name: format!("{before}{}", last.name), ..last.clone() };
    if input.take("::").is_some() {
        return use_tree(input, &format!("{}::", path.name), uses);
    }
    let name = if input.take_word("as").is_some() { words::new_name(input)? } else { last };
    uses.push(Use { path, name });
    Ok(())
}

/// Refuses what stands before items in Rust, and has no meaning here.
pub(super) fn refuse_visibility(input: &Input<'_>) -> Parsed<()> {
    if !input.at_word("pub") {
        return Ok(());
    }
    let error = Diagnostic::new(Code::NoPlaceHere, input.span(), "items of a program are its own");
    Err(error.help("leave out `pub`"))
}
