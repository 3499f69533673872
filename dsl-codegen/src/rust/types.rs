//! Types of the language as types of Rust.
//!
//! | language | by value | borrowed | as a parameter |
//! |---|---|---|---|
//! | `f64` | `f64` | `f64` | `f64` |
//! | `{i64,f64}` | `(i64, f64)` | `(i64, f64)` | `(i64, f64)` |
//! | `vec[T]` | `Vec<T>` | `&[T]` | `&[T]` |
//! | `{i64,vec[T]}` | `(i64, Vec<T>)` | `&(i64, Vec<T>)` | `&(i64, Vec<T>)` |
//! | `array[T,N]` | `Array<T, N>` | `&Array<T, N>` | `&Array<T, N>` |
//! | `array[T,N]`, a view | | `&Rows<'_, T, N>` | `ArrayView<'_, T, N>` |
//! | `dict[K,V]` | `Dict<K, V>` | `&Dict<K, V>` | `&Dict<K, V>` |
//! | `option[T]` | `Option<T>` | as a tuple | as a tuple |
//! | `[T; 3]` | `[T; 3]` | as a tuple | as a tuple |
//! | `usize` | `usize` | `usize` | `usize` |
//! | `&T`, inside of another | `&T`, `&[T]`, `&str` | a reference to that | |
//! | `Box<[T]>`, `Arc<str>`, inside of another | the same | `&[T]`, `&str` | |
//! | `str` | `String` | `&str` | `&str` |
//! | `Strings` | `Strings<'static, i64>` | `&Strings<'_, i64>` | `&Strings<'_, i64>` |
//! | `Nullable<f64>` | `Nullable<'static, f64>` | `&Nullable<'_, f64>` | `&Nullable<'_, f64>` |
//! | a struct of the user | `Point`, by an alias | as a tuple | as a tuple |

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::types::{Column, Pointer, Scalar, Type};
use weldment_runtime::scalar_types;

use super::paths::Paths;
use super::values;

/// `f64`
pub(super) fn scalar(ty: Scalar) -> Ident {
    Ident::new(ty.name(), Span::call_site())
}

/// The type of values that are owned.
pub(super) fn owned(p: &Paths, ty: &Type) -> TokenStream {
    match ty {
        Type::Scalar(ty) => {
            let ty = scalar(*ty);
            quote!(#ty)
        }
        Type::Vec(element) => {
            let (vec, element) = (p.vec(), owned(p, element));
            quote!(#vec<#element>)
        }
        Type::Struct(_) if ty.is_text() => p.string().into_token_stream(),
        Type::Struct(_) if let Some(temporal) = ty.as_temporal() => p.temporal(temporal).into_token_stream(),
        Type::Struct(_) if let Some(half) = ty.as_half() => p.float_of_16_bits(half).into_token_stream(),
        Type::Struct(_) if let Some(scale) = ty.as_fixed() => {
            let (fixed, digits) = (p.fixed(), Literal::u32_unsuffixed(scale.digits()));
            quote!(#fixed<#digits>)
        }
        Type::Struct(_) if let Some(size) = ty.as_size() => values::size(size).into_token_stream(),
        Type::Struct(_) if let Some(column) = ty.as_column() => self::column(p, column, &quote!('static)),
        Type::Struct(_) if let Some((by, of)) = ty.as_lent() => match by {
            Pointer::Ref if of.is_scalars() => {
                let of = owned(p, of);
                quote!(&#of)
            }
            Pointer::Ref => borrowed(p, of),
            Pointer::Box => boxed(p, &p.boxed(), of),
            Pointer::Arc => boxed(p, &p.arc(), of),
        },
        Type::Struct(fields) if let Some((element, len)) = fields.as_fixed_array() => {
            let (element, len) = (owned(p, element), Literal::usize_unsuffixed(len));
            quote!([#element; #len])
        }
        Type::Struct(fields) => match (ty.user_name(), ty.as_array()) {
            (Some(name), _) => p.structs().alias(name, ty).into_token_stream(),
            (None, Some((element, axes))) => {
                let (array, element, axes) = (p.array(), owned(p, element), Literal::usize_unsuffixed(axes));
                quote!(#array<#element, #axes>)
            }
            (None, None) => match fields.as_option() {
                Some(value) => {
                    let (option, value) = (p.option(), owned(p, value));
                    quote!(#option<#value>)
                }
                None => {
                    let fields = fields.iter().map(|field| owned(p, field));
                    quote!((#(#fields,)*))
                }
            },
        },
        Type::Dict(key, value) => {
            let (dict, key, value) = (p.dict(), owned(p, key), owned(p, value));
            quote!(#dict<#key, #value>)
        }
    }
}

/// `Box<[f64]>`, `Arc<str>`: what `by` is of the slice or the text `of`.
fn boxed(p: &Paths, by: &impl ToTokens, of: &Type) -> TokenStream {
    match of.element() {
        Some(element) => {
            let element = owned(p, element);
            quote!(#by<[#element]>)
        }
        None => quote!(#by<str>),
    }
}

/// The type of a column as Arrow has it, which borrows for `lifetime`.
fn column(p: &Paths, column: Column, lifetime: &TokenStream) -> TokenStream {
    let (name, arg) = match column {
        Column::Strings(offset) => (p.strings(), offset),
        Column::Nullable(value) => (p.nullable(), value),
    };
    let arg = scalar(arg);
    quote!(#name<#lifetime, #arg>)
}

/// The type of values that are borrowed, or copied where they consist of scalars only.
pub(super) fn borrowed(p: &Paths, ty: &Type) -> TokenStream {
    match ty {
        _ if ty.is_scalars() => owned(p, ty),
        _ if ty.is_text() => quote!(&str),
        _ if let Some(of) = in_box(ty) => borrowed(p, of),
        Type::Struct(_) if let Some(column) = ty.as_column() => {
            let column = self::column(p, column, &quote!('_));
            quote!(&#column)
        }
        Type::Vec(element) => {
            let element = owned(p, element);
            quote!(&[#element])
        }
        _ => {
            if let Some((element, axes)) = view(p, ty) {
                let rows = p.array_rows();
                return quote!(&#rows<'_, #element, #axes>);
            }
            let ty = owned(p, ty);
            quote!(&#ty)
        }
    }
}

/// Whether what is borrowed of a value of type `ty` is a slice, of elements or of text.
pub(super) fn is_slice(ty: &Type) -> bool {
    ty.element().is_some() || ty.is_text() || in_box(ty).is_some()
}

/// The slice or the text in a box, which is borrowed in its place.
pub(super) fn in_box(ty: &Type) -> Option<&Type> {
    match ty.as_lent()? {
        (Pointer::Box | Pointer::Arc, of) => Some(of),
        (Pointer::Ref, _) => None,
    }
}

/// The type of a parameter.
pub(super) fn parameter(p: &Paths, ty: &Type) -> TokenStream {
    match view(p, ty) {
        Some((element, axes)) => {
            let view = p.array_view();
            quote!(#view<'_, #element, #axes>)
        }
        None => borrowed(p, ty),
    }
}

/// The type of the elements and the number of axes of a view.
fn view(p: &Paths, ty: &Type) -> Option<(TokenStream, Literal)> {
    let (element, axes) = ty.as_array().filter(|_| ty.is_view())?;
    Some((owned(p, element), Literal::usize_unsuffixed(axes)))
}

/// How a kernel declares a parameter.
pub(super) fn declared(p: &Paths, ty: &Type) -> TokenStream {
    let (own, by_ref) = (p.kernel_own(), p.kernel_ref());
    match ty {
        _ if lends(ty) => lent(p, ty),
        _ if ty.is_scalars() => {
            let ty = owned(p, ty);
            quote!(#own<#ty>)
        }
        _ if ty.is_text() => quote!(#by_ref<str>),
        _ if ty.as_column().is_some() => {
            let (lent, ty) = (p.kernel_lent(), owned(p, ty));
            quote!(#lent<#ty>)
        }
        Type::Vec(element) => {
            let element = owned(p, element);
            quote!(#by_ref<[#element]>)
        }
        _ => {
            if let Some((element, axes)) = view(p, ty) {
                let view = p.kernel_view();
                return quote!(#view<#element, #axes>);
            }
            let ty = owned(p, ty);
            quote!(#by_ref<#ty>)
        }
    }
}

/// How a kernel declares a reference to a value of type `ty`, in which something is lent.
fn lent(p: &Paths, ty: &Type) -> TokenStream {
    match ty {
        Type::Vec(element) => {
            let (slice, element) = (p.kernel_slice(), taken(p, element));
            quote!(#slice<#element>)
        }
        _ => {
            let (lent, ty) = (p.kernel_lent(), taken(p, ty));
            quote!(#lent<#ty>)
        }
    }
}

/// How a kernel declares a part of such a parameter.
fn taken(p: &Paths, ty: &Type) -> TokenStream {
    if !lends(ty) {
        let (own, ty) = (p.kernel_own(), owned(p, ty));
        return quote!(#own<#ty>);
    }
    if let Some((by, of)) = ty.as_lent() {
        if by != Pointer::Ref {
            let (own, ty) = (p.kernel_own(), owned(p, ty));
            return quote!(#own<#ty>);
        }
        let by_ref = p.kernel_ref();
        return match of {
            _ if lends(of) => lent(p, of),
            _ if of.is_text() => quote!(#by_ref<str>),
            Type::Vec(element) => {
                let element = owned(p, element);
                quote!(#by_ref<[#element]>)
            }
            _ => {
                let of = owned(p, of);
                quote!(#by_ref<#of>)
            }
        };
    }
    if let Type::Vec(element) = ty {
        let (vec, element) = (p.vec(), taken(p, element));
        return quote!(#vec<#element>);
    }
    if let Some(value) = ty.as_option() {
        let (option, value) = (p.option(), taken(p, value));
        return quote!(#option<#value>);
    }
    if let Some((element, len)) = ty.as_fixed_array() {
        let (element, len) = (taken(p, element), Literal::usize_unsuffixed(len));
        return quote!([#element; #len]);
    }
    let fields = ty.parts().map(|field| taken(p, field));
    quote!((#(#fields,)*))
}

/// Whether there is a reference inside of `ty`.
pub(crate) fn lends(ty: &Type) -> bool {
    ty.as_lent().is_some() || ty.parts().any(lends)
}

/// A constant: a literal with its type, or a negated one, or one of those that have a name.
pub(super) fn constant(constant: Const) -> TokenStream {
    macro_rules! float {
        ($x:expr, $ty:ident) => {
            match $x {
                x if x.is_nan() => quote!($ty::NAN),
                $ty::INFINITY => quote!($ty::INFINITY),
                $ty::NEG_INFINITY => quote!($ty::NEG_INFINITY),
                x if is_near_constant(f64::from(x)) => {
                    let bits = x.to_bits();
                    quote!($ty::from_bits(#bits))
                }
                x => literal(x.is_sign_negative(), format!("{:?}{}", x.abs(), stringify!($ty))),
            }
        };
    }
    // The smallest value has no positive one to negate.
    macro_rules! integer {
        ($x:expr, $ty:ident) => {
            match $x {
                $ty::MIN if $ty::MIN != 0 => quote!($ty::MIN),
                x => {
                    literal(i128::from(x) < 0, format!("{}{}", i128::from(x).unsigned_abs(), stringify!($ty)))
                }
            }
        };
    }
    macro_rules! by_type {
        ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => {
            match constant { $(Const::$variant(x) => by_type!($kind x $ty),)* }
        };
        (Truth $x:ident $ty:ident) => { quote!(#$x) };
        (Float $x:ident $ty:ident) => { float!($x, $ty) };
        ($kind:ident $x:ident $ty:ident) => { integer!($x, $ty) };
    }
    scalar_types!(by_type)
}

/// Whether clippy may take a literal of this value for a mistaken constant of the standard library. A program that says
/// `3.14` or `sqrt(0.5)` is not mistaken, and what stands in the user's crate must not warn.
fn is_near_constant(x: f64) -> bool {
    use std::f64::consts as c;
    // Clippy rounds the constants to the digits of the literal, of which it wants three at least.
    const ROUNDED: f64 = 1e-3;
    const KNOWN: [f64; 20] = [
        c::E,
        c::FRAC_1_PI,
        c::FRAC_1_SQRT_2,
        c::FRAC_2_PI,
        c::FRAC_2_SQRT_PI,
        c::FRAC_PI_2,
        c::FRAC_PI_3,
        c::FRAC_PI_4,
        c::FRAC_PI_6,
        c::FRAC_PI_8,
        c::LN_10,
        c::LN_2,
        c::LOG10_2,
        c::LOG10_E,
        c::LOG2_10,
        c::LOG2_E,
        c::PI,
        c::SQRT_2,
        c::TAU,
        // The golden ratio, which is not among them in this version.
        1.618_033_988_749_895,
    ];
    KNOWN.iter().any(|known| (x.abs() - known).abs() < ROUNDED * known)
}

/// Whether `constant` begins with a sign.
pub(super) fn is_negated(constant: &TokenStream) -> bool {
    matches!(constant.clone().into_iter().next(), Some(proc_macro2::TokenTree::Punct(_)))
}

/// The literal of this text; negative ones are not literals.
fn literal(is_negative: bool, text: String) -> TokenStream {
    let literal: Literal = text.parse().expect("Rust prints numbers as literals");
    if is_negative { quote!(-#literal) } else { quote!(#literal) }
}

/// The zero value of `ty`: zeros, and nothing in vectors and dictionaries. A constant, if there are only scalars.
pub(super) fn zero(p: &Paths, ty: &Type) -> TokenStream {
    match ty {
        Type::Scalar(ty) => constant(Const::from_i128(*ty, 0)),
        Type::Struct(fields) if fields.as_option().is_some() => {
            let (none, value) = (p.none(), owned(p, &fields[1]));
            quote!(#none::<#value>)
        }
        Type::Struct(_) if ty.is_text() => {
            let string = p.string();
            quote!(#string::new())
        }
        Type::Struct(_) if let Some((_, of)) = ty.as_lent() => match of {
            Type::Vec(element) => {
                let element = owned(p, element);
                quote!((&[] as &[#element]))
            }
            _ if of.is_text() => quote!(""),
            _ => {
                let of = zero(p, of);
                quote!(&#of)
            }
        },
        // Its fields may be private here.
        Type::Struct(fields) if fields.name().is_some() => {
            let (element, ty) = (p.element(), owned(p, ty));
            quote!(<#ty as #element>::zero())
        }
        Type::Struct(fields) => {
            let fields = fields.iter().map(|field| zero(p, field));
            quote!((#(#fields,)*))
        }
        Type::Vec(_) => {
            let vec = p.vec();
            quote!(#vec::new())
        }
        Type::Dict(..) => {
            let dict = p.dict();
            quote!(#dict::new())
        }
    }
}

/// A value of type `ty`, which holds scalars only, from what `leaf` says of the type of each, in order.
pub(super) fn of_leaves(p: &Paths, ty: &Type, leaf: &mut dyn FnMut(Scalar) -> TokenStream) -> TokenStream {
    match ty {
        Type::Scalar(ty) => leaf(*ty),
        _ => {
            let fields = ty.fields().expect("a struct of scalars").iter();
            let fields: Vec<_> = fields.map(|field| of_leaves(p, field, leaf)).collect();
            values::make(p, ty, &fields)
        }
    }
}

/// The path to each scalar leaf of `ty`: nothing for a scalar, `.0 .1` or `.a .b` in a struct, `[0] [1]` in a fixed array.
pub(super) fn leaf_paths(p: &Paths, ty: &Type) -> Vec<TokenStream> {
    fn walk(p: &Paths, ty: &Type, path: &TokenStream, paths: &mut Vec<TokenStream>) {
        match ty {
            Type::Struct(fields) => {
                for (i, field) in fields.iter().enumerate() {
                    let part = values::part(p, ty, i, Span::call_site());
                    walk(p, field, &quote!(#path #part), paths);
                }
            }
            _ => paths.push(path.clone()),
        }
    }
    let mut paths = Vec::new();
    walk(p, ty, &TokenStream::new(), &mut paths);
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: impl Into<Const>, expected: &str) {
        assert_eq!(constant(value.into()).to_string(), expected);
    }

    #[test]
    fn constants_print_exactly() {
        check(0.1, "0.1f64");
        check(-0.0f32, "- 0.0f32");
        check(-1.5e300, "- 1.5e300f64");
        check(f64::NAN, "f64 :: NAN");
        check(i64::MIN, "i64 :: MIN");
        check(0.5f64.sqrt(), "f64 :: from_bits (4604544271217802189u64)");
        check(-7i8, "- 7i8");
        check(0u8, "0u8");
        check(u64::MAX, "18446744073709551615u64");
    }
}
