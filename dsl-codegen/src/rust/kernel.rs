//! The whole expression: the functions `run` and `call`, and the kernel made of them.

use proc_macro2::TokenStream;
use quote::quote;
use weldment_core::source::Positions;
use weldment_runtime::types::Type;

use super::scope::Scope;
use super::{Emitter, Paths, Unsupported, names, types};
use crate::loops::LoopProgram;

/// What a kernel tells of itself.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The program, as the user wrote it.
    pub source: String,
    /// What became of it.
    pub explanation: String,
}

/// `program` as one constant expression of type `Kernel<fn(…) -> R>`.
///
/// # Errors
/// What cannot be emitted yet.
pub fn emit(
    program: &LoopProgram,
    positions: &Positions,
    paths: &Paths,
    about: &About,
) -> Result<TokenStream, Vec<Unsupported>> {
    let p = paths;
    let run = function(program, positions, paths)?;
    let ty = |value| &program.values[value].ty;
    let output = types::owned(p, ty(program.body.results[0]));
    let params = super::scope::parameters(p, &program.params, |value| ty(value).clone());
    let declared = program.params.iter().map(|&param| types::declared(p, ty(param)));
    let args = program.params.iter().map(|&param| names::value(param));
    let (context, unwrap) = (p.context(), p.kernel_unwrap());
    let (info, signature) = (p.kernel_info(), p.kernel_signature());
    let About { source, explanation } = about;
    Ok(quote! {{
        #[allow(warnings, clippy::all)]
        #run
        #[allow(warnings, clippy::all)]
        fn call(#(#params),*) -> #output {
            #unwrap(run(#context::ambient(), #(#args),*))
        }
        static INFO: #info = #info::new(#source, #explanation);
        #signature::<(#(#declared,)*), #output>::kernel(call, run, &INFO)
    }})
}

/// The function `run` of a kernel, which is where the loops are.
///
/// # Errors
/// What cannot be emitted yet.
pub fn function(
    program: &LoopProgram,
    positions: &Positions,
    paths: &Paths,
) -> Result<TokenStream, Vec<Unsupported>> {
    let p = paths;
    let mut emitter = Emitter::new(program, positions, p);
    let mut scope = Scope::of_function(&program.params, |value| emitter.ty(value).clone());
    let steps = emitter.steps(&mut scope, &program.body);
    let result = program.body.results[0];
    let value = scope.own(p, result, emitter.ty(result), &[]);
    if !emitter.unsupported.is_empty() {
        return Err(emitter.unsupported);
    }
    let output = types::owned(p, emitter.ty(result));
    let params = super::scope::parameters(p, &program.params, |value| emitter.ty(value).clone());
    let (context, result, fault, ok) = (p.context(), p.result(), p.fault(), p.ok());
    Ok(quote! {
        fn run(cx: &#context, #(#params),*) -> #result<#output, #fault> {
            #steps
            #ok(#value)
        }
    })
}

/// A kernel of these types that is never called: it stands beside the errors of a program. What is not known of the
/// result is inferred.
pub fn stand_in(paths: &Paths, params: &[Type], result: Option<&Type>) -> TokenStream {
    let p = paths;
    let declared = params.iter().map(|ty| types::declared(p, ty));
    let output = result.map_or_else(|| quote!(_), |ty| types::owned(p, ty));
    let ignored: Vec<_> = params.iter().map(|_| quote!(_)).collect();
    let (info, signature) = (p.kernel_info(), p.kernel_signature());
    quote! {{
        static INFO: #info = #info::new("", "");
        #[allow(warnings, clippy::all)]
        let kernel = #signature::<(#(#declared,)*), #output>::kernel(
            |#(#ignored),*| loop {},
            |_, #(#ignored),*| loop {},
            &INFO,
        );
        kernel
    }}
}
