//! What can derive `Weld`: structs whose fields have types of the language.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    Data, DeriveInput, Error, GenericArgument, GenericParam, PathArguments, PathSegment, Result, Type,
};
use weldment_core::diagnostic::{Code, with_code};
use weldment_core::syntax::names;
use weldment_runtime::lang::types::{MOST_FIXED, Scalar, Size};

use crate::halves;

/// The error of this code at `span`.
pub(super) fn error_at(code: Code, span: Span, message: &str) -> Error {
    Error::new(span, with_code(code, message))
}

/// The error of this code at all of `tokens`.
pub(super) fn error_of(code: Code, tokens: impl ToTokens, message: &str) -> Error {
    Error::new_spanned(tokens, with_code(code, message))
}

/// Refuses what cannot be a struct of the language, with all that is wrong with it. Of enums, `enums` sees to that.
pub(super) fn check(input: &DeriveInput) -> Result<()> {
    let data = match &input.data {
        Data::Struct(data) => data,
        Data::Enum(_) => return Ok(()),
        Data::Union(data) => {
            let message = "a union cannot derive `Weld`: nothing says what it holds\nhelp: make it a struct";
            return Err(error_at(Code::OnlyStructs, data.union_token.span, message));
        }
    };
    let mut errors: Vec<Error> = input.generics.params.iter().filter_map(check_param).collect();
    errors.extend(check_layout(input).err());
    if data.fields.is_empty() {
        let message = "a struct without fields cannot derive `Weld`\nhelp: give it a field";
        errors.push(error_at(Code::NoFields, input.ident.span(), message));
    }
    let fields = data.fields.iter().filter_map(|field| lent(&field.ty, input));
    fields.for_each(|ty| check_type(ty, input, &mut errors));
    let all = errors.into_iter().reduce(|mut all, error| {
        all.combine(error);
        all
    });
    all.map_or(Ok(()), Err)
}

/// The error of a parameter of the struct that is neither a type nor a lifetime.
fn check_param(param: &GenericParam) -> Option<Error> {
    let what = match param {
        GenericParam::Type(_) | GenericParam::Lifetime(_) => return None,
        GenericParam::Const(_) => {
            "a struct with a constant parameter cannot derive `Weld`\n\
             help: leave the parameter out; vectors are `Vec<T>`, of any length"
        }
    };
    Some(error_at(Code::StructParameters, param.span(), what))
}

/// What is to be looked at of `ty`, a field of the struct `outer`: the elements of slices that it borrows, nothing of a text, and all of anything else.
fn lent<'a>(ty: &'a Type, outer: &DeriveInput) -> Option<&'a Type> {
    let Type::Reference(reference) = ty else { return Some(ty) };
    if reference.mutability.is_some() || !is_lent(outer) {
        return Some(ty);
    }
    match &*reference.elem {
        Type::Slice(slice) => lent(&slice.elem, outer),
        Type::Path(path) if path.path.is_ident("str") => None,
        _ => Some(ty),
    }
}

/// Whether the struct borrows.
pub(super) fn is_lent(input: &DeriveInput) -> bool {
    input.generics.lifetimes().next().is_some()
}

/// Refuses a struct whose fields cannot be referred to.
fn check_layout(input: &DeriveInput) -> Result<()> {
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("packed") {
                let message = "a packed struct cannot derive `Weld`: its fields cannot be referred to\n\
                    help: leave out `packed`";
                return Err(error_of(Code::PackedStruct, &meta.path, message));
            }
            // What `align` and the like are given does not matter.
            if meta.input.peek(syn::token::Paren) {
                meta.input.parse::<proc_macro2::Group>()?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Refuses the types inside of `ty`, a field of the struct `outer`, that no value of a program has.
fn check_type(ty: &Type, outer: &DeriveInput, errors: &mut Vec<Error>) {
    let (code, message) = match ty {
        Type::Paren(inner) => return check_type(&inner.elem, outer, errors),
        Type::Group(inner) => return check_type(&inner.elem, outer, errors),
        Type::Tuple(tuple) => return tuple.elems.iter().for_each(|ty| check_type(ty, outer, errors)),
        Type::Path(path) if path.qself.is_none() => {
            let last = path.path.segments.last().expect("a path has segments");
            if last.ident == outer.ident || last.ident == "Self" {
                (
                    Code::Recursive,
                    "a struct cannot contain itself\n\
                     help: types are finite: keep a tree in vectors, with indices for its edges",
                )
            } else if names::column(&path_text(&path.path)).is_some() {
                (
                    Code::FieldType,
                    "a column of Arrow is a parameter or a result, and no field of a struct\n\
                     help: take it as a parameter beside this struct, `names: &Strings`",
                )
            } else if lifetime_args(last) {
                (
                    Code::FieldType,
                    "a struct that borrows is a parameter of its own, and no field\n\
                     help: give this struct its columns, `price: &'a [f64]`, or take both as parameters",
                )
            } else if let (Some(half), false) = (names::half(&path_text(&path.path)), halves::HAS_TYPES) {
                let message = halves::message(half).join("\nhelp: ");
                return errors.push(error_of(Code::NoFeature, ty, &message));
            } else if let Some(instead) = instead_of(&last.ident) {
                instead
            } else {
                return type_args(last).for_each(|ty| check_type(ty, outer, errors));
            }
        }
        // The length is told where the struct has it as a parameter.
        Type::Array(_) if outer.generics.const_params().next().is_some() => return,
        Type::Array(array) => match &array.len {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(len), .. })
                if len.base10_parse::<usize>().is_ok_and(|len| (1..=MOST_FIXED).contains(&len)) =>
            {
                return check_type(&array.elem, outer, errors);
            }
            len => {
                let message = format!(
                    "the length of an array is a number from 1 to {MOST_FIXED}\n\
                     help: write the number; any number of elements is a `Vec<T>`"
                );
                return errors.push(error_of(Code::NoFixedLength, len, &message));
            }
        },
        Type::Reference(_) if is_lent(outer) => (
            Code::FieldType,
            "a field borrows a slice, `&'a [T]`, a text, `&'a str`, or a slice of such\n\
             help: write one of these, or leave the `&` out; what is inside of a vector or a tuple owns its data",
        ),
        Type::Reference(_) => (
            Code::FieldType,
            "a field borrows for a lifetime of its struct\n\
             help: write `struct Sales<'a> { price: &'a [f64] }`, or own the data, as in `Vec<f64>`",
        ),
        Type::Ptr(_) | Type::FnPtr(_) | Type::ImplTrait(_) | Type::TraitObject(_) => (
            Code::FieldType,
            "fields hold data\nhelp: they are scalars, tuples, `Vec<T>`, `Option<T>`, `Dict<K, V>` and structs that derive `Weld`",
        ),
        _ => (
            Code::FieldType,
            "this type cannot be read\n\
             help: fields are scalars, tuples, `Vec<T>`, `Option<T>`, `Dict<K, V>` and structs that derive `Weld`",
        ),
    };
    errors.push(error_of(code, ty, message));
}

/// What to write in place of a type of Rust that the language does not have.
fn instead_of(name: &Ident) -> Option<(Code, &'static str)> {
    Some(match name.to_string().as_str() {
        "str" => (
            Code::FieldType,
            "a text of a struct is owned, or borrowed for a lifetime of the struct\n\
             help: make the field a `String`, or a `&'a str` of a `struct Sale<'a>`",
        ),
        "char" => (
            Code::ForeignType,
            "`char` is not a type of programs\nhelp: keep a byte, `u8`, or a code point, `u32`",
        ),
        "u128" => (
            Code::ForeignType,
            "the widest integers are `i128` and `u64`\nhelp: use one of them, or two fields",
        ),
        "HashMap" | "BTreeMap" => {
            (Code::NoSuchGeneric, "a dictionary is a `Dict<K, V>`\nhelp: collect one from the pairs")
        }
        "HashSet" | "BTreeSet" | "VecDeque" | "LinkedList" => (
            Code::NoSuchGeneric,
            "this collection is not a type of programs\nhelp: use `Vec<T>` or `Dict<K, V>`",
        ),
        "Box" | "Rc" | "Arc" | "Cow" | "Cell" | "RefCell" => {
            (Code::NoSuchGeneric, "pointers are not types of programs\nhelp: hold the value itself")
        }
        _ => return None,
    })
}

/// Whether `name` is a type of the language itself, which no macro describes.
pub(super) fn is_known(name: &Ident) -> bool {
    name == "String"
        || name == "str"
        || name == "Vec"
        || name == "Option"
        || name == "Dict"
        || Scalar::from_name(&name.to_string()).is_some()
        || Size::from_name(&name.to_string()).is_some()
}

/// Whether `path` is a type of dates or of times, of decimal numbers, or of floats of 16 bits, which no macro describes.
pub(super) fn is_of_language(path: &syn::Path) -> bool {
    let name = path_text(path);
    let is_named = names::temporal(&name).is_some() || names::half(&name).is_some();
    is_named || (is_fixed(&name) && path.segments.last().is_some_and(has_scale))
}

/// The names of `path`.
fn path_text(path: &syn::Path) -> String {
    let names = path.segments.iter().map(|segment| segment.ident.to_string());
    names.collect::<Vec<_>>().join("::")
}

fn is_fixed(path: &str) -> bool {
    path.strip_prefix("weldment::").unwrap_or(path) == "Fixed"
}

/// Whether a literal stands between the `<` and `>` of a segment.
fn has_scale(segment: &PathSegment) -> bool {
    let PathArguments::AngleBracketed(args) = &segment.arguments else { return false };
    matches!(args.args.first(), Some(GenericArgument::Const(syn::Expr::Lit(_))))
}

/// Whether there is a lifetime between the `<` and `>` of a segment.
fn lifetime_args(segment: &PathSegment) -> bool {
    let PathArguments::AngleBracketed(args) = &segment.arguments else { return false };
    args.args.iter().any(|arg| matches!(arg, GenericArgument::Lifetime(_)))
}

/// The types between the `<` and `>` of a segment.
pub(super) fn type_args(segment: &PathSegment) -> impl Iterator<Item = &Type> {
    let args = match &segment.arguments {
        PathArguments::AngleBracketed(args) => Some(&args.args),
        _ => None,
    };
    args.into_iter().flatten().filter_map(|arg| match arg {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
