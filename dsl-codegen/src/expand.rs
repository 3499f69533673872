//! `weld!` from tokens to tokens: parse, check, lower, optimise, decide, emit; and what stands in for a kernel
//! when that fails.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use weldment_core::diagnostic::{Diagnostic, Kind};
use weldment_core::explain::{self, Stage};
use weldment_core::lower::Lowered;
use weldment_core::syntax::ast;
use weldment_core::{front, ir, syntax};
use weldment_runtime::types::Type;

use crate::loops;
use crate::rust::{self, About, Paths};

/// The expansion of `weld!(input)`; the facade is found at `crate_path`.
///
/// Mistakes of the user become errors at their tokens, one error per mistake: beside them stands a kernel of the
/// type that was meant, as far as it is known, so that calls of it are fine.
pub fn expand(input: TokenStream, crate_path: TokenStream) -> TokenStream {
    let paths = Paths::new(crate_path);
    match kernel(input.clone(), &paths) {
        Ok(kernel) => kernel,
        Err(errors) => {
            let errors = errors.iter().map(|error| {
                let message = &error.message;
                quote_spanned!(error.span=> ::core::compile_error!(#message);)
            });
            let stand_in = stand_in(input, &paths);
            quote!({ #(#errors)* #stand_in })
        }
    }
}

fn kernel(input: TokenStream, paths: &Paths) -> Result<TokenStream, Vec<Diagnostic>> {
    let source = text(input.clone()).to_string();
    let Lowered { mut program, positions, spans } = front::from_tokens(input)?;
    let mut explanation = explain::optimise(&mut program, &positions);
    let loops = loops::build(&program, &loops::Options::default());
    explanation.stages.push(Stage { name: "loops", text: loops.to_string() });
    let about = About { source, explanation: explanation.to_string() };
    rust::emit(&loops, &positions, paths, &about).map_err(|unsupported| {
        let diagnostic = |unsupported: &rust::Unsupported| {
            let span = spans.get(ir::Entity::index(unsupported.loc)).copied();
            let message = format!("not supported yet: {}", unsupported.what);
            Diagnostic::new(Kind::Unsupported, span.unwrap_or_else(Span::call_site), message)
        };
        unsupported.iter().map(diagnostic).collect()
    })
}

/// The tokens as they read when printed: what a fragment of a `macro_rules` macro holds together by invisible
/// delimiters, parentheses hold together in a text.
fn text(tokens: TokenStream) -> TokenStream {
    let visible = |token| match token {
        TokenTree::Group(group) => {
            let inside = text(group.stream());
            let alone = inside.clone().into_iter().nth(1).is_none();
            match group.delimiter() {
                Delimiter::None if alone => inside,
                Delimiter::None => Group::new(Delimiter::Parenthesis, inside).to_token_stream(),
                delimiter => Group::new(delimiter, inside).to_token_stream(),
            }
        }
        token => token.into(),
    };
    tokens.into_iter().flat_map(visible).collect()
}

/// A kernel that takes the parameters of the program, if it can be read so far, and is never called.
fn stand_in(input: TokenStream, paths: &Paths) -> Option<TokenStream> {
    let program = syntax::parse_tokens(input).ok()?;
    let types = program.closure.params.iter().map(|param| value_type(param.ty.as_ref()?));
    let params = types.collect::<Option<Vec<_>>>()?;
    let result = program.closure.result.as_ref().and_then(value_type);
    Some(rust::stand_in(paths, &params, result.as_ref()))
}

/// The type that `ty` spells, if it is one of values and no alias.
fn value_type(ty: &ast::Type) -> Option<Type> {
    Some(match &ty.kind {
        ast::TypeKind::Scalar(scalar) => Type::Scalar(*scalar),
        ast::TypeKind::Vec(element) => Type::vec(value_type(element)?),
        ast::TypeKind::Dict(key, value) => Type::dict(value_type(key)?, value_type(value)?),
        ast::TypeKind::Struct(fields) => {
            let fields = fields.iter().map(value_type).collect::<Option<Vec<_>>>()?;
            Type::structure(fields)
        }
        _ => return None,
    })
}
