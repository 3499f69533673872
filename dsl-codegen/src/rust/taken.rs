//! The parameters of a kernel as its caller gives them.
//!
//! Most are one value of the program. A struct that borrows is several, one for each of its fields, of which the program knows alone:
//!
//! ```text
//! type __Lent0<'a> = shop::Sales<'a>;
//! fn run(cx: &Context, s0: &__Lent0<'_>) -> Result<f64, Fault> { let v0: &[f64] = &*s0.price; let v1: f64 = s0.rate; … }
//! ```

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use weldment_core::ir::Value;
use weldment_runtime::lang::types::{Type, UserName};

use super::printer::variable;
use super::{Paths, types, values};

/// A parameter of a kernel.
#[derive(Clone, Debug)]
pub(crate) enum Taken {
    /// A value of this type.
    Value(Type),
    /// A struct that borrows.
    Lent(Lent),
}

/// A struct that borrows, as a parameter.
#[derive(Clone, Debug)]
pub(crate) struct Lent {
    /// Which struct it is.
    pub(crate) name: UserName,
    /// The types of its fields, if they are known.
    pub(crate) fields: Vec<Type>,
    /// Which of the parameters it is.
    pub(crate) number: usize,
}

impl Lent {
    /// The alias of its type, which takes a lifetime.
    pub(super) fn alias(&self) -> Ident {
        format_ident!("__Lent{}", self.number)
    }

    /// The field `number`, read from `of`.
    fn field(&self, p: &Paths, number: usize, of: &Ident) -> TokenStream {
        let definition = p.structs().find(&self.name.of);
        // A private field is the mistake of who names the struct.
        let place = definition.map_or_else(Span::call_site, |definition| definition.span);
        let (member, ty) = (values::field(definition, number, place), &self.fields[number]);
        match ty {
            _ if ty.is_scalars() => quote!(#of.#member),
            // Of what the struct borrows, for as long as that lives.
            _ if types::is_slice(ty) => quote!(&*#of.#member),
            _ => quote!(&#of.#member),
        }
    }
}

impl Taken {
    /// The parameters that are `params` in the program, where `lent` says which of them are structs that borrow; each with its values.
    pub(super) fn of<'v>(
        p: &Paths,
        params: &'v [Value],
        lent: &[(usize, UserName)],
        ty: impl Fn(Value) -> Type,
    ) -> Vec<(Taken, &'v [Value])> {
        let mut rest = params;
        let mut taken = Vec::new();
        while !rest.is_empty() {
            let number = taken.len();
            let (of, count) = match lent.iter().find(|(of, _)| *of == number) {
                Some((_, name)) => {
                    let definition = p.structs().find(&name.of).expect("a struct that borrows is told");
                    let count = definition.of.fields.len();
                    let fields = rest[..count].iter().map(|&value| ty(value)).collect();
                    (Taken::Lent(Lent { name: name.clone(), fields, number }), count)
                }
                None => (Taken::Value(ty(rest[0])), 1),
            };
            let (values, behind) = rest.split_at(count);
            taken.push((of, values));
            rest = behind;
        }
        taken
    }

    /// The type of its value, if it is one.
    pub(super) fn value(&self) -> Option<&Type> {
        match self {
            Taken::Value(ty) => Some(ty),
            Taken::Lent(_) => None,
        }
    }

    /// Its type.
    pub(super) fn ty(&self, p: &Paths) -> TokenStream {
        match self {
            Taken::Value(ty) => types::parameter(p, ty),
            Taken::Lent(lent) => {
                let alias = lent.alias();
                quote!(&#alias<'_>)
            }
        }
    }

    /// How a kernel declares it.
    pub(super) fn declared(&self, p: &Paths) -> TokenStream {
        match self {
            Taken::Value(ty) => types::declared(p, ty),
            Taken::Lent(lent) => {
                let (param, alias) = (p.kernel_lent(), lent.alias());
                quote!(#param<#alias<'static>>)
            }
        }
    }

    /// Its variable, if its values are `values`.
    pub(super) fn variable(&self, values: &[Value]) -> Ident {
        match self {
            Taken::Value(_) => variable(values[0]),
            Taken::Lent(lent) => format_ident!("s{}", lent.number),
        }
    }

    /// Its variable and its type, as it is declared.
    pub(super) fn param(&self, p: &Paths, values: &[Value]) -> TokenStream {
        let (name, ty) = (self.variable(values), self.ty(p));
        quote!(#name: #ty)
    }

    /// The variables of its values, if it is none of them itself: of those that are `read`, for others may be private.
    pub(super) fn columns(&self, p: &Paths, values: &[Value], read: &HashSet<Value>) -> TokenStream {
        let Taken::Lent(lent) = self else { return TokenStream::new() };
        let of = self.variable(values);
        let column = |(number, (&value, ty)): (usize, (&Value, &Type))| {
            let (name, ty, field) = (variable(value), types::parameter(p, ty), lent.field(p, number, &of));
            read.contains(&value).then(|| quote!(let #name: #ty = #field;))
        };
        values.iter().zip(&lent.fields).enumerate().filter_map(column).collect()
    }
}

/// Those of `taken` that are structs that borrow.
pub(super) fn lent<'t>(taken: impl IntoIterator<Item = &'t Taken>) -> Vec<&'t Lent> {
    let mut lents = Vec::new();
    for taken in taken {
        if let Taken::Lent(lent) = taken {
            lents.push(lent);
        }
    }
    lents
}
