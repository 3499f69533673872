//! `derive(Weld)` of an enum: of which integer it is, and the number of each variant.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Error, Expr, ExprLit, ExprUnary, Fields, Lit, Result, UnOp};
use weldment_core::diagnostic::{Code, out_of_range};
use weldment_core::syntax::NEEDS_ZERO;
use weldment_runtime::lang::scalar::{Const, largest, smallest};
use weldment_runtime::lang::types::Scalar;

use super::check::{error_at, error_of};

/// An enum of numbers.
pub(super) struct Enum<'a> {
    repr: Ident,
    /// The variants with their numbers.
    variants: Vec<(&'a Ident, i128)>,
    /// The variant of number 0.
    zero: &'a Ident,
}

impl<'a> Enum<'a> {
    /// What `input` is if it is an enum; what cannot be one of the language is an error at the token that is wrong.
    pub(super) fn of(input: &'a DeriveInput) -> Result<Option<Enum<'a>>> {
        let Data::Enum(data) = &input.data else { return Ok(None) };
        if let Some(param) = input.generics.params.first() {
            let message =
                "an enum that derives `Weld` has no parameters\nhelp: its values are numbers: leave them out";
            return Err(error_of(Code::OnlyStructs, param, message));
        }
        let (repr, scalar) = repr(input, data)?;
        let mut variants = Vec::new();
        let mut next = 0;
        for variant in &data.variants {
            if !matches!(variant.fields, Fields::Unit) {
                let message = "an enum whose variants hold data cannot derive `Weld`\n\
                    help: keep an enum that says which, and a field for each value that there may be, in a struct";
                return Err(error_of(Code::OnlyStructs, &variant.fields, message));
            }
            if let Some((_, number)) = &variant.discriminant {
                next = literal(number)?;
            }
            let bound = |of: fn(Scalar) -> Const| of(scalar).as_integer().expect("an integer type");
            if next < bound(smallest) || next > bound(largest) {
                let error = out_of_range(&next.to_string(), scalar, variant.span());
                return Err(error_at(error.code, variant.span(), &error.message));
            }
            variants.push((&variant.ident, next));
            next += 1;
        }
        let Some((zero, _)) = variants.iter().find(|(_, number)| *number == 0) else {
            let message = format!("no variant of `{}` has the number 0\nhelp: {NEEDS_ZERO}", input.ident);
            return Err(error_at(Code::OnlyStructs, input.ident.span(), &message));
        };
        Ok(Some(Enum { zero, repr, variants }))
    }

    /// What the derive implements.
    pub(super) fn impls(&self, name: &Ident, facade: &TokenStream) -> TokenStream {
        let Enum { repr, zero, .. } = self;
        let variants = self.numbered();
        quote!(#facade::__private::rt::__enumeration! { #name #repr #zero { #variants } })
    }

    /// The definition, as the language writes it.
    pub(super) fn definition(&self, id: &Ident) -> TokenStream {
        let (repr, variants) = (&self.repr, self.numbered());
        quote!(enum #id : #repr { #variants })
    }

    fn numbered(&self) -> TokenStream {
        let one = |(name, number): &(&Ident, i128)| {
            let number: TokenStream = number.to_string().parse().expect("a number is a literal");
            quote!(#name = #number,)
        };
        self.variants.iter().map(one).collect()
    }
}

/// The integer type that `#[repr(u8)]` or the like says.
fn repr(input: &DeriveInput, data: &DataEnum) -> Result<(Ident, Scalar)> {
    let mut found = None;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        attribute.parse_nested_meta(|meta| {
            if let Some(name) = meta.path.get_ident()
                && let Some(scalar) =
                    // Rust's own `repr(i128)` is not stable.
                    Scalar::from_name(&name.to_string())
                        .filter(|&scalar| scalar.is_integer() && scalar != Scalar::I128)
            {
                found = Some((name.clone(), scalar));
                return Ok(());
            }
            let message = "the numbers of an enum that derives `Weld` are of an integer type of fixed size\n\
                help: write `#[repr(u8)]`, or another of i8 to i64 and u8 to u64";
            Err(error_of(Code::OnlyStructs, &meta.path, message))
        })?;
    }
    found.ok_or_else(|| {
        let message = "nothing says which integers the variants of this enum are\n\
            help: write `#[repr(u8)]`, or another integer type, in front of it";
        error_at(Code::OnlyStructs, data.enum_token.span, message)
    })
}

/// The integer that `number` writes out.
fn literal(number: &Expr) -> Result<i128> {
    match number {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse(),
        Expr::Lit(ExprLit { lit: Lit::Byte(byte), .. }) => Ok(byte.value().into()),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => Ok(-literal(expr)?),
        Expr::Paren(inner) => literal(&inner.expr),
        Expr::Group(inner) => literal(&inner.expr),
        _ => Err(not_written_out(number)),
    }
}

fn not_written_out(number: &Expr) -> Error {
    let message = "the number of a variant is written out, for a derive computes nothing\nhelp: write a literal, `65` or `b'A'`";
    error_of(Code::OnlyStructs, number, message)
}
