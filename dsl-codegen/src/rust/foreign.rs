//! Foreign functions: `cudf[name, T](args)` calls the function `name`, or at a path, that is in scope where the macro stands.
//!
//! Each becomes a function of values, beside the kernel:
//!
//! ```text
//! fn foreign0(v0: f64, v1: i64) -> f64 {
//!     let mut result = 0.0f64;
//!     hypotenuse(&v0, &v1, &mut result);
//!     result
//! }
//! ```
//!
//! One whose signature the program declares, in an `extern` block, or that tells its own, is called with its arguments as they are, through a pointer of the type
//! that is declared: so rustc blames the declaration.
//!
//! ```text
//! fn foreign0(v0: f64) -> f64 {
//!     let function: fn(f64) -> f64 = score;
//!     function(v0)
//! }
//! ```
//!
//! The call is safe as it stands: the user says so, by a definition in Rust or by `safe fn` in an `extern` block. Each argument
//! and the place of the result stand where the user wrote them and their type, so that rustc blames those.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use weldment_core::ir::{Loc, Value};
use weldment_runtime::lang::types::Type;

use super::outside::Outside;
use super::printer::{Foreign, Printer};
use super::{Unsupported, types, written};

impl Printer<'_> {
    /// `foreign0(v3, v4)`
    pub(super) fn foreign_call(
        &mut self,
        symbol: &str,
        args: &[Value],
        result: Value,
        loc: Loc,
    ) -> TokenStream {
        let types: Vec<Type> = args.iter().map(|&arg| self.ty(arg).clone()).collect();
        let ty = self.ty(result).clone();
        if let Some(other) = types.iter().chain([&ty]).find(|ty| ty.as_scalar().is_none()) {
            let what = format!("a foreign function on a value of type `{other}`");
            let help = "in `weld!` foreign functions take and give scalars: call one for each element, or with the fields";
            self.unsupported.push(Unsupported { loc, what, help });
        }
        let known = |known: &Foreign| known.symbol == symbol && known.args == types && known.result == ty;
        let number = self.foreign.iter().position(known).unwrap_or_else(|| {
            self.foreign.push(Foreign {
                symbol: symbol.to_owned(),
                args: types.clone(),
                result: ty.clone(),
                loc,
            });
            self.foreign.len() - 1
        });
        let (name, args) = (name(number), args.iter().map(|&arg| self.name(arg)));
        quote!(#name(#(#args),*))
    }

    /// The functions that call foreign ones.
    pub(super) fn foreign_items(&self, outside: &Outside) -> TokenStream {
        let item = |(number, foreign): (usize, &Foreign)| {
            let args: Vec<_> = (0..foreign.args.len()).map(|arg| format_ident!("arg{arg}")).collect();
            let types: Vec<_> = foreign.args.iter().map(|ty| types::owned(self.p, ty)).collect();
            let (name, output) = (name(number), types::owned(self.p, &foreign.result));
            let allow = super::allow_parameters(args.len());
            if let Some(function) = outside.function(&foreign.symbol) {
                return quote! {
                    #allow
                    fn #name(#(#args: #types),*) -> #output {
                        let function: fn(#(#types),*) -> #output = #function;
                        function(#(#args),*)
                    }
                };
            }
            let span = self.span(foreign.loc);
            let symbol = written::path(&foreign.symbol, span);
            let zero = types::zero(self.p, &foreign.result);
            // Errors about the call point at the user's tokens.
            let here = |span| Span::call_site().located_at(span);
            let place = |part| here(self.span(self.positions.part(foreign.loc, part)));
            let borrowed = args.iter().enumerate().map(|(part, arg)| {
                let arg = Ident::new(&arg.to_string(), place(part));
                quote_spanned!(place(part)=> &#arg)
            });
            let result = quote_spanned!(place(args.len())=> &mut result);
            let call = quote_spanned!(here(span)=> #symbol(#(#borrowed,)* #result));
            quote! {
                #allow
                fn #name(#(#args: #types),*) -> #output {
                    let mut result = #zero;
                    #call;
                    result
                }
            }
        };
        self.foreign.iter().enumerate().map(item).collect()
    }
}

fn name(number: usize) -> Ident {
    format_ident!("foreign{number}")
}
