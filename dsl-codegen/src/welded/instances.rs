//! The types for which a generic function of the language is one of Rust: f32 and f64 where it says `Float`, and those that it lists.
//!
//! ```text
//! #[welded(for(i32, i64))]                   each of them, for each type parameter
//! #[welded(for(T = [i32, i64], U = [u8]))]   of each type parameter its own
//! ```
//!
//! What is listed is a trait of the function's own, so that rustc says what to do where the function is called with another type:
//!
//! ```text
//! pub trait total__weld_T: Instance {}
//! impl total__weld_T for i32 {}
//! impl total__weld_T for i64 {}
//! pub fn total<T: total__weld_T>(v: &[T]) -> T { … }
//! ```

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use weldment_core::diagnostic::Diagnostic;
use weldment_core::syntax::ast::{self, Bound, TypeKind, TypeParam, Welded};
use weldment_runtime::lang::types::Scalar;

use super::item::{For, Item, refused, split};
use crate::told::is;

/// As many functions are made of one, each with a kernel of its own.
const MOST: usize = 16;

/// For each type parameter of a function, the types that it stands for in Rust.
pub(super) struct Instances(Vec<Types>);

struct Types {
    scalars: Vec<Scalar>,
    /// Whether they are written out.
    is_listed: bool,
}

/// The types for which `item` is one of Rust, of which `said` lists some; none if it is for kernels only. Of what is no function there
/// are no types to choose.
pub(super) fn of(item: &Item, said: Option<&For>) -> Result<Option<Instances>, Vec<Diagnostic>> {
    let name = &item.name;
    let function = match &item.of {
        Welded::Function(of) if item.kernel.is_none() => of,
        _ => {
            let what = if item.kernel.is_some() { "a kernel" } else { "a constant" };
            let message = |said: &For| {
                let message = format!("`for` is for functions with type parameters, and `{name}` is {what}");
                refused(said.span, message, "leave it out")
            };
            return said.map_or(Ok(Some(Instances(Vec::new()))), |said| Err(message(said)));
        }
    };
    let generics = &function.generics;
    let is_of_rust = function.closure.params.iter().all(is_of_rust);
    let Some(said) = said else {
        let types = generics.iter().map(|param| of_bound(param.bound)).collect::<Option<Vec<_>>>();
        return Ok(types.filter(|types| is_of_rust && count(types) <= MOST).map(Instances));
    };
    if generics.is_empty() {
        let message = format!("`{name}` has no type parameter of which `for` could list the types");
        return Err(refused(said.span, message, "leave it out: the function is one of Rust without it"));
    }
    if !is_of_rust {
        let message = format!("`{name}` takes a function or a builder, and so is for kernels only");
        return Err(refused(said.span, message, "leave out `for`: kernels call it with any types"));
    }
    let types = listed(said, name, generics)?;
    if count(&types) > MOST {
        let message = format!(
            "these are {} combinations of types, and a function is one of Rust for at most {MOST}",
            count(&types)
        );
        let advice = "list fewer types, or for each type parameter those that it needs: `for(T = [i32, i64], U = [f64])`";
        return Err(refused(said.span, message, advice));
    }
    Ok(Some(Instances(types)))
}

/// The types that a bound stands for, if they are few.
fn of_bound(bound: Bound) -> Option<Types> {
    let floats = vec![Scalar::F64, Scalar::F32];
    (bound == Bound::Float).then_some(Types { scalars: floats, is_listed: false })
}

/// How many combinations there are.
fn count(types: &[Types]) -> usize {
    types.iter().fold(1, |count, types| count.saturating_mul(types.scalars.len()))
}

/// What is listed of each of `generics`.
fn listed(said: &For, name: &Ident, generics: &[TypeParam]) -> Result<Vec<Types>, Vec<Diagnostic>> {
    let parts: Vec<Vec<TokenTree>> =
        split(said.of.clone(), ',').into_iter().filter(|part| !part.is_empty()).collect();
    let Some(first) = parts.first() else {
        return Err(refused(said.span, "`for` lists no types", FORM));
    };
    if !is_named(first) {
        let list = |param| types(&parts, param).map(|scalars| Types { scalars, is_listed: true });
        return generics.iter().map(list).collect();
    }
    let mut of_params: Vec<Option<Types>> = generics.iter().map(|_| None).collect();
    for part in &parts {
        let (span, [TokenTree::Ident(of), _, TokenTree::Group(list)]) = (part[0].span(), &part[..]) else {
            return Err(refused(part[0].span(), "expected the types of a type parameter", FORM));
        };
        if !is_named(part) || list.delimiter() != Delimiter::Bracket {
            return Err(refused(span, "expected the types of a type parameter", FORM));
        }
        let Some(at) = generics.iter().position(|param| of == &param.name.name) else {
            return Err(refused(span, format!("`{name}` has no type parameter `{of}`"), FORM));
        };
        if of_params[at].is_some() {
            return Err(refused(span, format!("the types of `{of}` are listed twice"), "leave out one list"));
        }
        let parts: Vec<_> = split(list.stream(), ',').into_iter().filter(|part| !part.is_empty()).collect();
        if parts.is_empty() {
            return Err(refused(span, format!("no types are listed for `{of}`"), FORM));
        }
        of_params[at] = Some(Types { scalars: types(&parts, &generics[at])?, is_listed: true });
    }
    let all = generics.iter().zip(of_params).map(|(param, types)| {
        types.or_else(|| of_bound(param.bound)).ok_or_else(|| {
            let param = &param.name.name;
            let advice = format!("add a list for it, such as `{param} = [i32, i64]`");
            refused(said.span, format!("`for` does not say which types `{param}` stands for"), &advice)
        })
    });
    all.collect()
}

const FORM: &str = "the forms are `#[welded(for(i32, i64))]`, the types of each type parameter, and `#[welded(for(T = [i32, i64], U = [f64]))]`";

/// `T = …`
fn is_named(part: &[TokenTree]) -> bool {
    part.get(1).is_some_and(|token| is(token, '='))
}

/// The types in a list of those of `param`.
fn types(parts: &[Vec<TokenTree>], param: &TypeParam) -> Result<Vec<Scalar>, Vec<Diagnostic>> {
    let mut types: Vec<Scalar> = Vec::new();
    for part in parts {
        let shown = part.iter().cloned().collect::<TokenStream>().to_string();
        let span = part[0].span();
        let Some(scalar) = Scalar::ALL.into_iter().find(|scalar| scalar.name() == shown) else {
            let message = format!("`{shown}` is no scalar type");
            let advice = "list scalars, such as i64, u8 or f32; with other types the function is called by kernels, which need no list";
            return Err(refused(span, message, advice));
        };
        let (is_one, what, advice) = match param.bound {
            Bound::Any => (true, "", ""),
            Bound::Float => (scalar.is_float(), "a float", "list f32 and f64, or write `Number` for `Float`"),
            Bound::Int => (scalar.is_integer(), "an integer", "list integers, or write `Number` for `Int`"),
            Bound::Number => {
                (scalar.is_float() || scalar.is_integer(), "a number", "list numbers, or leave out `Number`")
            }
        };
        if !is_one {
            let bound = param.bound.name();
            let message = format!("`{}: {bound}` is {what}, and `{shown}` is none", param.name.name);
            return Err(refused(span, message, advice));
        }
        if types.contains(&scalar) {
            return Err(refused(span, format!("`{shown}` is listed twice"), "leave it out here"));
        }
        types.push(scalar);
    }
    Ok(types)
}

impl Instances {
    /// Every combination of the types.
    pub(super) fn all(&self) -> Vec<Vec<Scalar>> {
        let mut all = vec![Vec::new()];
        for types in &self.0 {
            let with = |of: &Vec<Scalar>, scalar| of.iter().copied().chain([scalar]).collect();
            all =
                all.iter().flat_map(|of| types.scalars.iter().map(move |scalar| with(of, *scalar))).collect();
        }
        all
    }

    /// `<T: Float, U: total__weld_U>` of the function `item`, or nothing.
    pub(super) fn bounds(&self, item: &Item, generics: &[TypeParam], facade: &TokenStream) -> TokenStream {
        let bounds = generics.iter().zip(&self.0).map(|(param, types)| {
            let name = Ident::new(&param.name.name, param.name.span);
            if types.is_listed {
                let bound = trait_name(item, param);
                return quote!(#name: #bound);
            }
            let bound = Ident::new(param.bound.name(), Span::call_site());
            quote!(#name: #facade::#bound)
        });
        let bounds: Vec<TokenStream> = bounds.collect();
        if bounds.is_empty() { TokenStream::new() } else { quote!(<#(#bounds),*>) }
    }

    /// The traits of the types that are listed.
    pub(super) fn traits(&self, item: &Item, generics: &[TypeParam], facade: &TokenStream) -> TokenStream {
        let (vis, function) = (&item.vis, &item.name);
        let listed = generics.iter().zip(&self.0).filter(|(_, types)| types.is_listed);
        let define = |(param, types): (&TypeParam, &Types)| {
            let (name, of) = (trait_name(item, param), &param.name.name);
            let shown: Vec<&str> = types.scalars.iter().map(|scalar| scalar.name()).collect();
            let shown = shown.join(", ");
            let doc = format!("What `{of}` of [`{function}`] stands for: {shown}.");
            let message = format!("`{function}` is no function of Rust for `{{Self}}`");
            let label = format!("`{of}` stands for {shown}");
            let note = format!(
                "where `{function}` is defined, `#[welded(for(…))]` lists its types; kernels, `weld!(|…| {function}(…))`, call it with any"
            );
            let scalars = types.scalars.iter().map(|scalar| Ident::new(scalar.name(), Span::call_site()));
            quote! {
                #[doc = #doc]
                #[allow(non_camel_case_types, dead_code)]
                #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
                #vis trait #name: #facade::__private::rt::api::instance::Instance {}
                #(impl #name for #facade::__private::primitive::#scalars {})*
            }
        };
        listed.map(define).collect()
    }
}

/// The name of the trait of what is listed for `param`: of functions and type parameters no two in a module have the same names.
fn trait_name(item: &Item, param: &TypeParam) -> Ident {
    format_ident!("{}__weld_{}", item.name.unraw(), param.name.name, span = Span::call_site())
}

/// Whether Rust has a value for the parameter.
fn is_of_rust(param: &ast::Param) -> bool {
    fn is(ty: &ast::Type) -> bool {
        !matches!(ty.kind, TypeKind::Function(..) | TypeKind::Builder(_) | TypeKind::Infer)
            && ty.parts().all(is)
    }
    param.ty.as_ref().is_some_and(is)
}
