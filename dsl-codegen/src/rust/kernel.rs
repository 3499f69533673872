//! The whole expression: the functions `run` and `call`, and the kernel made of them; or the kernel bound to what it captures.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use weldment_core::ir::Value;
use weldment_core::source::Positions;
use weldment_runtime::lang::types::{Type, UserName};

use super::outside::Outside;
use super::printer::{Printer, braces};
use super::taken::{self, Taken};
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

/// `program` as one constant expression of type `Kernel<fn(…) -> R>`, or as one of type `Bound<fn(…) -> R, _, _>` if it captures
/// something. Its places are told by `positions` and `spans`, what its first parameters are by `outside`, and which of those that are written are
/// structs that borrow by `lent`.
///
/// # Errors
/// What cannot be emitted yet.
pub fn emit(
    program: &LoopProgram,
    positions: &Positions,
    spans: &[Span],
    paths: &Paths,
    outside: &Outside,
    lent: &[(usize, UserName)],
    about: &About,
) -> Result<TokenStream, Vec<Unsupported>> {
    let p = paths;
    let imp = imp::build(program, Target::RUST);
    let mut printer = Printer::new(&imp, positions, spans, p);
    let ty = |value| &imp.values[value].ty;
    let taken = Taken::of(p, &program.params, lent, |value| ty(value).clone());
    let run = run(&imp, &mut printer, outside, &taken)?;
    let constants = program.params[..outside.constants()].iter();
    let constants: Vec<_> = constants.map(|&param| types::owned(p, ty(param))).collect();
    let (given, called) = taken.split_at(outside.count());
    let captured = &given[outside.constants()..];
    let behind = taken[outside.constants()..].iter();
    let entry = Entry {
        paths: p,
        params: called.iter().map(|(taken, values)| taken.param(p, values)).collect(),
        types: called.iter().map(|(taken, _)| taken.ty(p)).collect(),
        declared: called.iter().map(|(taken, _)| taken.declared(p)).collect(),
        output: types::owned(p, ty(program.body.results[0])),
        args: behind.map(|(taken, values)| taken.variable(values)).collect(),
    };
    let info = p.kernel_info();
    let About { source, explanation, depends } = about;
    // It leaves nothing in the program: that rustc has looked is what counts. An item would be named in errors of rustc.
    let source = match depends {
        Some(variable) => quote!({ let _ = ::core::option_env!(#variable); #source }),
        None => quote!(#source),
    };
    let own = quote!(#run static INFO: #info = #info::new(#source, #explanation););
    let values = program.values.ids().map(|value| program.values[value].ty.clone()).collect::<Vec<_>>();
    let structs = aliases::items(p, &values, &taken::lent(taken.iter().map(|(taken, _)| taken)));
    // What names the user's.
    let (foreign, constants) = (printer.foreign_items(outside), outside.items(&constants));
    let named = quote!(#foreign #constants);
    if named.is_empty() && structs.is_empty() && !outside.is_bound() {
        let items = braces([own, entry.kernel(quote!(pub(super)))]);
        return Ok(quote!({ mod kernel #items kernel::KERNEL }));
    }
    let value = match outside.is_bound() {
        true => [outside.captured(p, captured), entry.bound()],
        false => [entry.kernel(TokenStream::new()), quote!(KERNEL)],
    };
    // Each in a block of its own, so that no name of the kernel hides one of the user's, and no scalar a struct.
    let kernel = quote!(#own #(#value)*);
    let imports = primitive::imports(p, &quote!(#named #kernel));
    let kernel = if named.is_empty() { kernel } else { quote!(#named { #kernel }) };
    Ok(outside.around(quote! {{
        #structs
        {
            #imports
            #kernel
        }
    }}))
}

/// How a kernel is called, by its own parameters.
struct Entry<'a> {
    paths: &'a Paths,
    /// `v1: &[f64]`
    params: Vec<TokenStream>,
    /// `&[f64]`
    types: Vec<TokenStream>,
    /// `Ref<[f64]>`
    declared: Vec<TokenStream>,
    output: TokenStream,
    /// What `run` is called with: what is captured, and the parameters.
    args: Vec<Ident>,
}

impl Entry<'_> {
    /// The function `call`, and the kernel.
    fn kernel(&self, visibility: TokenStream) -> TokenStream {
        let Entry { paths: p, params, types, declared, output, args } = self;
        let (context, unwrap) = (p.context(), p.kernel_unwrap());
        let (kernel, signature) = (p.kernel(), p.kernel_signature());
        let allow = super::allow_parameters(params.len());
        quote! {
            #allow
            fn call(#(#params),*) -> #output {
                #unwrap(run(#context::ambient(), #(#args),*))
            }
            #visibility const KERNEL: #kernel<fn(#(#types),*) -> #output> =
                #signature::<(#(#declared,)*), #output>::kernel(call, run, &INFO);
        }
    }

    /// The kernel that is bound to what it captures.
    fn bound(&self) -> TokenStream {
        let Entry { paths: p, params, types, output, args, .. } = self;
        let (context, unwrap, bound) = (p.context(), p.kernel_unwrap(), p.bound());
        let (result, fault) = (p.result(), p.fault());
        quote! {
            #bound::<fn(#(#types),*) -> #output, _, _>::new(
                &INFO,
                move |#(#params),*| -> #output { #unwrap(run(#context::ambient(), #(#args),*)) },
                move |cx: &#context, #(#params),*| -> #result<#output, #fault> { run(cx, #(#args),*) },
            )
        }
    }
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
    let taken = Taken::of(paths, &program.params, &[], |value| imp.values[value].ty.clone());
    run(&imp, &mut Printer::new(&imp, positions, &[], paths), &Outside::default(), &taken)
}

fn run(
    imp: &Imp,
    printer: &mut Printer<'_>,
    outside: &Outside,
    taken: &[(Taken, &[Value])],
) -> Result<TokenStream, Vec<Unsupported>> {
    let body = printer.entry();
    if !printer.unsupported.is_empty() {
        return Err(std::mem::take(&mut printer.unsupported));
    }
    let p = printer.p;
    let (constants, taken) = taken.split_at(outside.constants());
    let constants = outside.lets(p, constants);
    let params: Vec<TokenStream> = taken.iter().map(|(taken, values)| taken.param(p, values)).collect();
    let read = printer.read_by_entry();
    let columns: TokenStream = taken.iter().map(|(taken, values)| taken.columns(p, values, &read)).collect();
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
    let body = braces([printer.items(), constants, columns, own, printer.rows(&read), body]);
    Ok(quote! {
        #allow
        fn run(cx: &#context, #(#params),*) -> #result<#output, #fault> #body
    })
}

/// A kernel of these types whose function is `error`, an expression that is a compile error. What is not known of the
/// result has the type of `error`, which is any. One `is_bound` that would capture something, and captures nothing.
pub(crate) fn stand_in(
    paths: &Paths,
    params: &[Taken],
    result: Option<&Type>,
    is_bound: bool,
    error: &TokenStream,
) -> TokenStream {
    let p = paths;
    let declared: Vec<_> = params.iter().map(|taken| taken.declared(p)).collect();
    let types: Vec<_> = params.iter().map(|taken| taken.ty(p)).collect();
    let output = result.map_or_else(|| quote!(_), |ty| types::owned(p, ty));
    let values: Vec<Type> = params.iter().filter_map(Taken::value).cloned().collect();
    let structs = aliases::items(p, &values, &taken::lent(params));
    let (info, signature, bound) = (p.kernel_info(), p.kernel_signature(), p.bound());
    let (context, fault, result) = (p.context(), p.fault(), p.result());
    let imports = primitive::imports(p, &quote!((#(#declared,)*) #output));
    let kernel = match is_bound {
        true => quote!(#bound::<fn(#(#types),*) -> #output, _, _>::new(
            &INFO,
            |#(_: #types),*| -> #output { #error },
            |_: &#context, #(_: #types),*| -> #result<#output, #fault> { loop {} },
        )),
        false => {
            let ignored: Vec<_> = params.iter().map(|_| quote!(_)).collect();
            quote!(#signature::<(#(#declared,)*), #output>::kernel(
                |#(#ignored),*| #error,
                |_, #(#ignored),*| loop {},
                &INFO,
            ))
        }
    };
    quote! {{
        #structs
        {
            #imports
            static INFO: #info = #info::new("", "");
            #[allow(warnings, clippy::all)]
            let kernel = #kernel;
            kernel
        }
    }}
}
