//! The whole expression: the functions `run` and `call`, and the kernel made of them; or the kernel bound to what it captures.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use weldment_core::constants::Constant;
use weldment_core::ir::{Const, Value};
use weldment_core::source::Positions;
use weldment_runtime::lang::types::{Type, UserName};
use weldment_runtime::lang::value::Value as Datum;

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

/// A program, and its versions.
#[derive(Clone, Copy, Debug)]
pub struct Versions<'a> {
    /// The program as it is.
    pub general: &'a LoopProgram,
    /// Those with constants in place of parameters.
    pub known: &'a [Version],
}

/// A program with constants in place of some parameters.
#[derive(Clone, Debug)]
pub struct Version {
    /// The program, which takes the others.
    pub program: LoopProgram,
    /// The constants: integers, sizes and bools.
    pub constants: Vec<Constant>,
}

/// `programs` as one constant expression of type `Kernel<fn(…) -> R>`, or as one of type `Bound<fn(…) -> R, _, _>` if it captures
/// something. Its places are told by `positions` and `spans`, what its first parameters are by `outside`, and which of those that are written are
/// structs that borrow by `lent`.
///
/// # Errors
/// What cannot be emitted yet.
pub fn emit(
    programs: &Versions<'_>,
    positions: &Positions,
    spans: &[Span],
    paths: &Paths,
    outside: &Outside,
    lent: &[(usize, UserName)],
    about: &About,
) -> Result<TokenStream, Vec<Unsupported>> {
    let p = paths;
    let program = programs.general;
    let imp = imp::build(program, Target::RUST);
    let mut printer = Printer::new(&imp, positions, spans, p);
    let ty = |value| &imp.values[value].ty;
    let taken = Taken::of(p, &program.params, lent, |value| ty(value).clone());
    let chosen = Chosen { taken: &taken, positions, spans, paths: p, outside };
    let (choice, versions, mut types_of_all) = chosen.versions(programs.known)?;
    let run = run(&imp, &mut printer, outside, &taken, &Own { choice, ..Own::default() })?;
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
    let own = quote!(#run #versions static INFO: #info = #info::new(#source, #explanation););
    types_of_all.extend(types_of(program));
    let structs = aliases::items(p, &types_of_all, &taken::lent(taken.iter().map(|(taken, _)| taken)));
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

/// The types of what a program computes.
fn types_of(program: &LoopProgram) -> impl Iterator<Item = Type> {
    program.values.ids().map(|value| program.values[value].ty.clone())
}

/// What the function `run` of a program has that is not the program.
struct Own {
    name: Ident,
    /// What stands in it first: the choice of another version.
    choice: TokenStream,
    /// The foreign functions that it calls, where they are others than those of the program as it is.
    foreign: TokenStream,
}

impl Default for Own {
    fn default() -> Own {
        Own { name: format_ident!("run"), choice: TokenStream::new(), foreign: TokenStream::new() }
    }
}

/// What is known of a program that chooses between its versions.
struct Chosen<'a, 'v> {
    taken: &'a [(Taken, &'v [Value])],
    positions: &'a Positions,
    spans: &'a [Span],
    paths: &'a Paths,
    outside: &'a Outside,
}

impl Chosen<'_, '_> {
    /// What chooses between `versions`, a function for each, and the types of what they compute.
    fn versions(
        &self,
        versions: &[Version],
    ) -> Result<(TokenStream, TokenStream, Vec<Type>), Vec<Unsupported>> {
        let (mut choice, mut functions, mut types) = (TokenStream::new(), TokenStream::new(), Vec::new());
        for (number, version) in versions.iter().enumerate() {
            let Version { program, constants } = version;
            let imp = imp::build(program, Target::RUST);
            let mut printer = Printer::new(&imp, self.positions, self.spans, self.paths);
            let name = format_ident!("run{}", number);
            let foreign = printer.foreign_items(self.outside);
            let (taken, args) = self.left(program, constants);
            functions.extend(run(
                &imp,
                &mut printer,
                self.outside,
                &taken,
                &Own { name: name.clone(), foreign, choice: TokenStream::new() },
            )?);
            let conditions = constants.iter().map(|constant| self.is(constant));
            choice.extend(quote!(if #(#conditions)&&* { return #name(cx, #(#args),*); }));
            types.extend(types_of(program));
        }
        Ok((choice, functions, types))
    }

    /// The parameters of a version, and what it is given for them.
    fn left<'p>(
        &self,
        version: &'p LoopProgram,
        constants: &[Constant],
    ) -> (Vec<(Taken, &'p [Value])>, Vec<Ident>) {
        let (mut params, mut rest) = (0, &version.params[..]);
        let (mut left, mut args) = (Vec::new(), Vec::new());
        for (number, (taken, values)) in self.taken.iter().enumerate() {
            let is_known = constants.iter().any(|constant| constant.param == params);
            params += values.len();
            if !is_known {
                let (own, behind) = rest.split_at(values.len());
                left.push((taken.clone(), own));
                rest = behind;
                // Constants of Rust are no parameters of the function.
                args.extend((number >= self.outside.constants()).then(|| taken.variable(values)));
            }
        }
        (left, args)
    }

    /// Whether a parameter is this constant.
    fn is(&self, constant: &Constant) -> TokenStream {
        let mut params = 0;
        let of = self.taken.iter().find(|(_, values)| {
            params += values.len();
            constant.param < params
        });
        let (taken, values) = of.expect("a parameter of the program");
        let name = taken.variable(values);
        let scalar = match &constant.value {
            Datum::Struct(fields) => &fields[0],
            value => value,
        };
        match scalar.as_const() {
            Some(Const::Bool(true)) => quote!(#name),
            Some(Const::Bool(false)) => quote!(!#name),
            known => {
                let number = known.and_then(Const::as_integer).expect("an integer");
                let size = Literal::u128_unsuffixed(number.unsigned_abs());
                let sign = (number < 0).then(|| quote!(-));
                quote!(#name == #sign #size)
            }
        }
    }
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
    run(&imp, &mut Printer::new(&imp, positions, &[], paths), &Outside::default(), &taken, &Own::default())
}

fn run(
    imp: &Imp,
    printer: &mut Printer<'_>,
    outside: &Outside,
    taken: &[(Taken, &[Value])],
    around: &Own,
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
    let Own { name, choice, foreign } = around;
    let body = braces([
        foreign.clone(),
        choice.clone(),
        printer.items(),
        constants,
        columns,
        own,
        printer.rows(&read),
        body,
    ]);
    Ok(quote! {
        #allow
        fn #name(cx: &#context, #(#params),*) -> #result<#output, #fault> #body
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
