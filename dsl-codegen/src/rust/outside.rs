//! What a kernel has of the Rust around it: functions, which it calls by their signatures; and for its first parameters constants, which
//! it reads, and what it captures, to which it is bound.
//!
//! A constant becomes one of the kernel's own, so that rustc blames its name for a wrong type, and folds it. What is captured is
//! evaluated in front of the kernel, which becomes two closures over `run`:
//!
//! ```text
//! match (&w, self.rate(),) {
//!     (captured0, captured1,) => {
//!         const __CONSTANT0: f64 = shop::RATE;
//!         {
//!             fn run(cx: &Context, v1: &[f64], v2: f64, v3: &[f64]) -> Result<f64, Fault> { let v0: f64 = __CONSTANT0; … }
//!             let v1: &[f64] = captured0;
//!             let v2: f64 = captured1;
//!             Bound::<fn(&[f64]) -> f64, _, _>::new(
//!                 &INFO,
//!                 move |v3: &[f64]| -> f64 { unwrap(run(Context::ambient(), v1, v2, v3)) },
//!                 move |cx: &Context, v3: &[f64]| -> Result<f64, Fault> { run(cx, v1, v2, v3) },
//!             )
//!         }
//!     }
//! }
//! ```

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use weldment_core::ir::Value;
use weldment_core::syntax::ast::{self, Pattern};

use super::taken::Taken;
use super::{Paths, written};

/// What a kernel has of the Rust around it.
#[derive(Clone, Debug, Default)]
pub struct Outside {
    /// By the names that the program has for them.
    functions: Vec<(String, TokenStream)>,
    constants: Vec<TokenStream>,
    captures: Vec<TokenStream>,
}

impl Outside {
    /// What `program` has from outside.
    pub fn of(program: &ast::Program) -> Outside {
        let function = |of: &ast::Extern| (of.name.name.clone(), written::path(&of.path.name, of.path.span));
        let functions = program.externs.iter().map(function).collect();
        let mut given = Outside { functions, ..Outside::default() };
        for (param, outside) in program.closure.params.iter().zip(&program.outside) {
            match (outside, &param.pattern) {
                (ast::Outside::Capture(value), _) => given.captures.push(value.clone()),
                (ast::Outside::Constant, Pattern::Name(name)) => {
                    given.constants.push(written::path(&name.name, name.span));
                }
                (ast::Outside::Constant, _) => unreachable!("a constant has a name"),
            }
        }
        given
    }

    /// The same, and functions that have told their signatures, by their names.
    pub fn with_functions(mut self, functions: impl Iterator<Item = (String, TokenStream)>) -> Outside {
        self.functions.extend(functions);
        self
    }

    /// The function that the program calls `name`, if its signature is known.
    pub(super) fn function(&self, name: &str) -> Option<&TokenStream> {
        self.functions.iter().find(|(known, _)| known == name).map(|(_, path)| path)
    }

    /// How many parameters are constants, which are the first.
    pub(super) fn constants(&self) -> usize {
        self.constants.len()
    }

    /// How many parameters are given.
    pub(super) fn count(&self) -> usize {
        self.constants.len() + self.captures.len()
    }

    /// Whether the kernel is bound to anything.
    pub(super) fn is_bound(&self) -> bool {
        !self.captures.is_empty()
    }

    /// The constants of the kernel, of these types.
    pub(super) fn items(&self, types: &[TokenStream]) -> TokenStream {
        let item = |((number, value), ty): ((usize, &TokenStream), &TokenStream)| {
            let name = constant(number);
            quote!(const #name: #ty = #value;)
        };
        self.constants.iter().enumerate().zip(types).map(item).collect()
    }

    /// The variables of the constants, which are `taken`.
    pub(super) fn lets(&self, p: &Paths, taken: &[(Taken, &[Value])]) -> TokenStream {
        let bind = |(number, (taken, values)): (usize, &(Taken, &[Value]))| {
            let (param, name) = (taken.param(p, values), constant(number));
            quote!(let #param = #name;)
        };
        taken.iter().enumerate().map(bind).collect()
    }

    /// The variables of what is captured, which is `taken`.
    pub(super) fn captured(&self, p: &Paths, taken: &[(Taken, &[Value])]) -> TokenStream {
        let bind = |((number, value), (taken, values)): ((usize, &TokenStream), &(Taken, &[Value]))| {
            let (param, name) = (taken.param(p, values), capture(number, value));
            quote!(let #param = #name;)
        };
        self.captures.iter().enumerate().zip(taken).map(bind).collect()
    }

    /// `kernel`, behind what it captures.
    pub(super) fn around(&self, kernel: TokenStream) -> TokenStream {
        if !self.is_bound() {
            return kernel;
        }
        let values = &self.captures;
        let names = values.iter().enumerate().map(|(number, value)| capture(number, value));
        quote!(match (#(#values,)*) { (#(#names,)*) => #kernel })
    }
}

fn constant(number: usize) -> Ident {
    format_ident!("__CONSTANT{number}")
}

/// The name of a captured value, which stands where the value does, to be blamed for its type.
fn capture(number: usize, value: &TokenStream) -> Ident {
    let place = value.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    Ident::new(&format!("captured{number}"), Span::mixed_site().located_at(place))
}
