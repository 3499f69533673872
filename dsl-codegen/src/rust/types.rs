//! Types of the language as types of Rust.
//!
//! | language | by value | borrowed | as a parameter |
//! |---|---|---|---|
//! | `f64` | `f64` | `f64` | `f64` |
//! | `{i64,f64}` | `(i64, f64)` | `(i64, f64)` | `(i64, f64)` |
//! | `vec[T]` | `Vec<T>` | `&[T]` | `&[T]` |
//! | `{i64,vec[T]}` | `(i64, Vec<T>)` | `&(i64, Vec<T>)` | `&(i64, Vec<T>)` |
//! | `dict[K,V]` | `Dict<K, V>` | `&Dict<K, V>` | `&Dict<K, V>` |

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use weldment_runtime::scalar::Const;
use weldment_runtime::types::{Scalar, Type};

use super::paths::Paths;

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
        Type::Struct(fields) => {
            let fields = fields.iter().map(|field| owned(p, field));
            quote!((#(#fields,)*))
        }
        Type::Dict(key, value) => {
            let (dict, key, value) = (p.dict(), owned(p, key), owned(p, value));
            quote!(#dict<#key, #value>)
        }
    }
}

/// The type of values that are borrowed, or copied where they consist of scalars only.
pub(super) fn borrowed(p: &Paths, ty: &Type) -> TokenStream {
    match ty {
        _ if ty.is_scalars() => owned(p, ty),
        Type::Vec(element) => {
            let element = owned(p, element);
            quote!(&[#element])
        }
        _ => {
            let ty = owned(p, ty);
            quote!(&#ty)
        }
    }
}

/// How a kernel declares a parameter.
pub(super) fn declared(p: &Paths, ty: &Type) -> TokenStream {
    let (own, by_ref) = (p.kernel_own(), p.kernel_ref());
    match ty {
        _ if ty.is_scalars() => {
            let ty = owned(p, ty);
            quote!(#own<#ty>)
        }
        Type::Vec(element) => {
            let element = owned(p, element);
            quote!(#by_ref<[#element]>)
        }
        _ => {
            let ty = owned(p, ty);
            quote!(#by_ref<#ty>)
        }
    }
}

/// A constant.
pub(super) fn constant(constant: Const) -> TokenStream {
    macro_rules! number {
        ($x:expr, $literal:ident) => {{
            let literal = Literal::$literal($x);
            quote!(#literal)
        }};
    }
    /// Negative literals are not literals, and neither are infinities and NaN.
    macro_rules! float {
        ($x:expr, $ty:ident, $literal:ident) => {{
            let literal = |x| Literal::$literal(x);
            match $x {
                x if x.is_nan() => quote!($ty::NAN),
                $ty::INFINITY => quote!($ty::INFINITY),
                $ty::NEG_INFINITY => quote!($ty::NEG_INFINITY),
                x if x.is_sign_negative() => {
                    let literal = literal(-x);
                    quote!((-#literal))
                }
                x => {
                    let literal = literal(x);
                    quote!(#literal)
                }
            }
        }};
    }
    /// The smallest value has no positive one to negate.
    macro_rules! integer {
        ($x:expr, $ty:ident, $literal:ident) => {{
            match $x {
                $ty::MIN => quote!($ty::MIN),
                x if x < 0 => {
                    let literal = Literal::$literal(-x);
                    quote!((-#literal))
                }
                x => {
                    let literal = Literal::$literal(x);
                    quote!(#literal)
                }
            }
        }};
    }
    match constant {
        Const::Bool(x) => quote!(#x),
        Const::I8(x) => integer!(x, i8, i8_suffixed),
        Const::I16(x) => integer!(x, i16, i16_suffixed),
        Const::I32(x) => integer!(x, i32, i32_suffixed),
        Const::I64(x) => integer!(x, i64, i64_suffixed),
        Const::U8(x) => number!(x, u8_suffixed),
        Const::U16(x) => number!(x, u16_suffixed),
        Const::U32(x) => number!(x, u32_suffixed),
        Const::U64(x) => number!(x, u64_suffixed),
        Const::F32(x) => float!(x, f32, f32_suffixed),
        Const::F64(x) => float!(x, f64, f64_suffixed),
    }
}

/// The zero value of `ty`: zeros, and nothing in vectors and dictionaries. A constant, if there are only scalars.
pub(super) fn zero(p: &Paths, ty: &Type) -> TokenStream {
    match ty {
        Type::Scalar(ty) => constant(Const::from_i128(*ty, 0)),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: impl Into<Const>, expected: &str) {
        assert_eq!(constant(value.into()).to_string(), expected);
    }

    #[test]
    fn constants_print_exactly() {
        check(0.1, "0.1f64");
        check(-0.0f32, "(- 0f32)");
        check(f64::NAN, "f64 :: NAN");
        check(i64::MIN, "i64 :: MIN");
        check(-7i8, "(- 7i8)");
    }
}
