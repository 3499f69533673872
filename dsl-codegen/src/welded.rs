//! `#[welded]` from tokens to tokens: functions and constants of the language, for kernels and for Rust.
//!
//! To kernels it tells its tokens, by a macro of its name, see `told`. To Rust it is a function that calls a kernel of its
//! own; one that is generic picks the kernel of the types that it is called with, by the type of a pointer to the function:
//!
//! ```text
//! pub fn norm<T: Float>(v: &[T]) -> T {
//!     if let Some(instance) = instance({ type T = f64; fn instance(v: &[T]) -> T { kernel } instance as fn(&[T]) -> T }) {
//!         return instance(v);
//!     }
//!     …
//! }
//! ```
//!
//! What takes functions, or is generic over types without end, is for kernels only: `for(i32, i64)` names an end, see `welded/instances.rs`. To kernels, a kernel is the function that its program is, see
//! `welded/kernel.rs`; to Rust it stays what it is. So does a function that is opaque, of which kernels know the signature, see `welded/opaque.rs`.

mod instances;
mod item;
mod kernel;
mod opaque;
mod paths;
mod types;

#[cfg(test)]
mod tests;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use weldment_core::diagnostic::{Code, Diagnostic};
use weldment_core::front;
use weldment_core::syntax::ast::{self, TypeKind, Welded};
use weldment_runtime::lang::types::Scalar;

use self::instances::Instances;
use self::item::{Item, Parts};
use crate::errors::compile_errors;
use crate::expand;
use crate::told::{self, Answer, Heard};

/// The expansion of `#[welded(options)]` before `item`.
///
/// What cannot be a function of the language becomes an error at the token that is wrong.
pub fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    expand_at(quote!(::weldment), options, item)
}

/// The same where the facade is at `facade`, unless the options say otherwise.
pub(crate) fn expand_at(facade: TokenStream, options: TokenStream, item: TokenStream) -> TokenStream {
    let asked = item::options(options.clone(), facade).and_then(|said| {
        if said.is_opaque {
            return opaque::expand(said.facade, item.clone());
        }
        let parsed = item::parse(item.clone())?;
        instances::of(&parsed, said.types.as_ref())?;
        paths::check(&parsed.written)?;
        let facade = said.facade;
        let named = front::undefined_of_item(&parsed.of);
        if let Some(own) = named.iter().find(|named| parsed.name == named.path.name) {
            let message = format!("`{}` is recursive", own.path.name);
            let error = Diagnostic::new(Code::Recursive, own.path.span, message);
            let advice = "functions are expanded in place; for repetition use `iterate`, `fold` or `for`";
            return Err(vec![error.help(advice)]);
        }
        let paths = told::paths(&named, &item);
        let alone = named.iter().zip(&paths).filter(|(found, _)| found.is_alone);
        let checks: TokenStream = alone.map(|(_, path)| told::check(path, "Known", &facade)).collect();
        let rest = quote!({ #options } #item);
        Ok(match told::question(&paths, "welded_told", &facade, &rest) {
            Some(question) => quote!(#checks #question),
            None => answered(&Heard::nothing(facade, rest)),
        })
    });
    // Rust's own mistakes in it are rustc's to tell, where the item stands.
    asked.unwrap_or_else(|errors| compile_errors(&errors))
}

/// The expansion of the facade's `welded_told!`, behind whose answers stand the options that are left, and the item.
pub fn told(input: TokenStream) -> TokenStream {
    told::on_answers(input, answered)
}

fn answered(heard: &Heard) -> TokenStream {
    let mut rest = heard.rest.clone().into_iter();
    let options = match rest.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    };
    let item: TokenStream = rest.collect();
    let made = item::options(options, heard.facade.clone()).and_then(|options| {
        let item = item::parse(item)?;
        let instances = instances::of(&item, options.types.as_ref())?;
        let id = told::unique(&item.name, &item.written);
        let written = &item.written;
        let mistakes = expand::mistakes(heard, quote!(#written || true));
        let own_paths = heard.own_paths();
        // What is reported here is not reported once more where it is used.
        let is_told = mistakes.is_empty() && own_paths.is_empty();
        let written = if is_told { item.named(&id) } else { TokenStream::new() };
        let answer = heard.answer(&Answer { vis: &item.vis, name: &item.name, id: &id, item: &written })?;
        let instances = instances.filter(|_| !options.is_for_kernels);
        let of_rust = of_rust(&item, heard, instances.as_ref(), mistakes.is_empty());
        // Those of a kernel are told where it is one.
        let mistakes = if item.kernel.is_some() { TokenStream::new() } else { compile_errors(&mistakes) };
        let own_paths = compile_errors(&own_paths);
        Ok(quote!(#mistakes #own_paths #of_rust #answer))
    });
    made.unwrap_or_else(|errors| compile_errors(&errors))
}

/// The item of Rust, if there is to be one: a function for these types.
fn of_rust(item: &Item, heard: &Heard, instances: Option<&Instances>, is_right: bool) -> Option<TokenStream> {
    let Item { attributes, vis, written, .. } = item;
    if let Some(kernel) = &item.kernel {
        return Some(quote!(#attributes #vis #kernel));
    }
    let instances = instances?;
    match &item.of {
        Welded::Function(of) => function(item, of, heard, instances, is_right),
        // Of no others are literals of the language literals of Rust.
        Welded::Constant(of) => matches!(of.ty.kind, TypeKind::Scalar(_))
            .then(|| quote!(#attributes #[allow(dead_code)] #vis #written)),
    }
}

/// The function of Rust, which calls kernels where it is right.
fn function(
    item: &Item,
    of: &ast::Function,
    heard: &Heard,
    instances: &Instances,
    is_right: bool,
) -> Option<TokenStream> {
    let facade = &heard.facade;
    let Item { attributes, vis, name, .. } = item;
    let parts = item::parts(&item.written)?;
    let result = types::of_rust(&parts.result, of.closure.result.as_ref()?, types::Place::Result, facade);
    let params: Vec<Ident> = (0..parts.params.len()).map(|number| format_ident!("arg{number}")).collect();
    let types: Vec<TokenStream> = parts
        .params
        .iter()
        .zip(&of.closure.params)
        .map(|((_, written), param)| {
            Some(types::of_rust(written, param.ty.as_ref()?, types::Place::Param, facade))
        })
        .collect::<Option<_>>()?;
    let generics = &of.generics;
    // Kernels take what consists of scalars by value.
    let is_lent = |ty: &TokenStream| matches!(ty.clone().into_iter().next(), Some(TokenTree::Punct(punct)) if punct.as_char() == '&');
    let given = params.iter().zip(&types).zip(&of.closure.params).map(|((name, ty), param)| {
        match is_lent(ty) && param.ty.as_ref().is_some_and(is_of_scalars) {
            true => quote!(*#name),
            false => quote!(#name),
        }
    });
    let given: Vec<TokenStream> = given.collect();
    let called = |instance: &[Scalar]| {
        let kernel = kernel(&parts, generics, instance, heard);
        quote_spanned!(Span::mixed_site()=> { let kernel = #kernel; kernel(#(#given),*) })
    };
    let body = if !is_right {
        quote!({ #facade::__private::no_instance() })
    } else if generics.is_empty() {
        called(&[])
    } else {
        let names: Vec<TokenStream> =
            generics.iter().map(|param| param.name.name.parse().expect("a name")).collect();
        let each = instances.all().into_iter().map(|instance| {
            let scalars = instance.iter().map(|scalar| Ident::new(scalar.name(), Span::call_site()));
            let body = called(&instance);
            quote! {
                if let #facade::__private::Some(instance) = #facade::__private::instance({
                    #(type #names = #facade::__private::primitive::#scalars;)*
                    fn instance(#(#params: #types),*) -> #result #body
                    instance as fn(#(#types),*) -> #result
                }) {
                    let instance: fn(#(#types),*) -> #result = instance;
                    return instance(#(#params),*);
                }
            }
        });
        quote!({ #(#each)* #facade::__private::no_instance() })
    };
    let traits = instances.traits(item, generics, facade);
    let bounds = instances.bounds(item, generics, facade);
    Some(quote! {
        #traits
        #attributes
        #[allow(dead_code)]
        #vis fn #name #bounds(#(#params: #types),*) -> #result #body
    })
}

/// The kernel of the function, of these types for its type parameters.
fn kernel(parts: &Parts, generics: &[ast::TypeParam], instance: &[Scalar], heard: &Heard) -> TokenStream {
    let names = generics.iter().map(|param| Ident::new(&param.name.name, param.name.span));
    let scalars = instance.iter().map(|scalar| Ident::new(scalar.name(), Span::call_site()));
    let params = parts.params.iter().map(|(pattern, ty)| quote!(#pattern: #ty));
    let Parts { result, body, .. } = parts;
    let program = quote!(#(type #names = #scalars;)* |#(#params),*| -> #result #body);
    expand::known(heard, program)
}

/// Whether values of this type are known to consist of scalars only.
fn is_of_scalars(ty: &ast::Type) -> bool {
    match ty.kind {
        TypeKind::Scalar(_) | TypeKind::Size(_) | TypeKind::Fixed(_) => true,
        TypeKind::FixedArray(..) | TypeKind::Struct(_) => ty.parts().all(is_of_scalars),
        _ => false,
    }
}
