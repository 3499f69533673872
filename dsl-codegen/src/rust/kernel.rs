//! The whole expression: the functions `run` and `call`, and the kernel made of them.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use weldment_core::source::Positions;
use weldment_runtime::lang::types::Type;

use super::printer::{Printer, braces, variable};
use super::{Paths, Unsupported, aliases, primitive, types};
use crate::imp::{self, Imp, Memory, Target};
use crate::loops::LoopProgram;

/// What a kernel tells of itself.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The program, as the user wrote it.
    pub source: String,
    /// What became of it.
    pub explanation: String,
    /// The variable of the environment that its expansion depends on, so that cargo builds again when it changes.
    pub depends: Option<&'static str>,
}

/// `program` as one constant expression of type `Kernel<fn(…) -> R>`. Its places are told by `positions` and `spans`.
///
/// # Errors
/// What cannot be emitted yet.
pub fn emit(
    program: &LoopProgram,
    positions: &Positions,
    spans: &[Span],
    paths: &Paths,
    about: &About,
) -> Result<TokenStream, Vec<Unsupported>> {
    let p = paths;
    let imp = imp::build(program, Target::RUST);
    let mut printer = Printer::new(&imp, positions, spans, p);
    let run = run(&imp, &mut printer)?;

    let ty = |value| &imp.values[value].ty;
    let output = types::owned(p, ty(program.body.results[0]));
    let params = printer.parameters();
    let types: Vec<_> = program.params.iter().map(|&param| types::parameter(p, ty(param))).collect();
    let declared: Vec<_> = program.params.iter().map(|&param| types::declared(p, ty(param))).collect();
    let args: Vec<_> = program.params.iter().map(|&param| variable(param)).collect();
    let (context, kernel, unwrap) = (p.context(), p.kernel(), p.kernel_unwrap());
    let (info, signature) = (p.kernel_info(), p.kernel_signature());
    let About { source, explanation, depends } = about;
    // It leaves nothing in the program: that rustc has looked is what counts. An item would be named in errors of rustc.
    let source = match depends {
        Some(variable) => quote!({ let _ = ::core::option_env!(#variable); #source }),
        None => quote!(#source),
    };
    let allow = super::allow_parameters(params.len());
    let items = |visibility: TokenStream| {
        quote! {
            #run
            #allow
            fn call(#(#params),*) -> #output {
                #unwrap(run(#context::ambient(), #(#args),*))
            }
            static INFO: #info = #info::new(#source, #explanation);
            #visibility const KERNEL: #kernel<fn(#(#types),*) -> #output> =
                #signature::<(#(#declared,)*), #output>::kernel(call, run, &INFO);
        }
    };
    let values = program.values.ids().map(|value| program.values[value].ty.clone()).collect::<Vec<_>>();
    let structs = aliases::items(p, &values);
    if printer.foreign.is_empty() && structs.is_empty() {
        let items = braces([items(quote!(pub(super)))]);
        return Ok(quote!({ mod kernel #items kernel::KERNEL }));
    }
    // Each in a block of its own, so that no name of the kernel hides one of the user's, and no scalar a struct.
    let (foreign, items) = (printer.foreign_items(), items(TokenStream::new()));
    let imports = primitive::imports(p, &quote!(#foreign #items));
    let kernel = quote!(#items KERNEL);
    let kernel = if foreign.is_empty() { kernel } else { quote!(#foreign { #kernel }) };
    Ok(quote! {{
        #structs
        {
            #imports
            #kernel
        }
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
    let imp = imp::build(program, Target::RUST);
    run(&imp, &mut Printer::new(&imp, positions, &[], paths))
}

fn run(imp: &Imp, printer: &mut Printer<'_>) -> Result<TokenStream, Vec<Unsupported>> {
    let body = printer.entry();
    if !printer.unsupported.is_empty() {
        return Err(std::mem::take(&mut printer.unsupported));
    }
    let (p, params) = (printer.p, printer.parameters());
    let result = imp.funcs[imp.entry].body.results[0];
    let output = types::owned(p, &imp.values[result].ty);
    let (context, result, fault) = (p.context(), p.result(), p.fault());
    let allow = super::allow_parameters(params.len() + 1);
    // A vector may be made of what another has left.
    let count = |memory| imp.stores.ids().filter(|&store| imp.stores[store].memory == memory).count();
    let shares = count(Memory::Temporary) > 1 || count(Memory::State) > 0;
    let own = match shares {
        true => quote!(let own = cx.own(); let cx = own.as_ref().unwrap_or(cx);),
        false => TokenStream::new(),
    };
    let body = braces([printer.items(), own, printer.rows(), body]);
    Ok(quote! {
        #allow
        fn run(cx: &#context, #(#params),*) -> #result<#output, #fault> #body
    })
}

/// A kernel of these types whose function is `error`, an expression that is a compile error. What is not known of the
/// result has the type of `error`, which is any.
pub(crate) fn stand_in(
    paths: &Paths,
    params: &[Type],
    result: Option<&Type>,
    error: &TokenStream,
) -> TokenStream {
    let p = paths;
    let declared: Vec<_> = params.iter().map(|ty| types::declared(p, ty)).collect();
    let output = result.map_or_else(|| quote!(_), |ty| types::owned(p, ty));
    let structs = aliases::items(p, params);
    let ignored: Vec<_> = params.iter().map(|_| quote!(_)).collect();
    let (info, signature) = (p.kernel_info(), p.kernel_signature());
    let imports = primitive::imports(p, &quote!((#(#declared,)*) #output));
    quote! {{
        #structs
        {
            #imports
            static INFO: #info = #info::new("", "");
            #[allow(warnings, clippy::all)]
            let kernel = #signature::<(#(#declared,)*), #output>::kernel(
                |#(#ignored),*| #error,
                |_, #(#ignored),*| loop {},
                &INFO,
            );
            kernel
        }
    }}
}
