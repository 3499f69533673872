//! Running a program: on values, or on values of types of Rust.

use weldment_runtime::api::args::Arguments;
use weldment_runtime::api::element::Element;
use weldment_runtime::api::output::Output;
use weldment_runtime::exec::context::Context;
use weldment_runtime::exec::options::Options;
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;

use super::call::{Args, Call, Out};
use super::compiled::Compiled;
use super::native::Native;

/// A result of any type.
struct Dynamic(Option<Value>);

/// A result of a type of Rust.
struct Typed<R>(Option<R>);

impl Out for Dynamic {
    fn value(&mut self, value: Value) {
        self.0 = Some(value);
    }

    fn native(&mut self, native: Native<'_>) -> Result<(), Fault> {
        self.0 = Some(native.value());
        Ok(())
    }
}

impl<R: Element> Out for Typed<R> {
    fn value(&mut self, value: Value) {
        self.0 = R::from_value(&value);
    }

    fn native(&mut self, native: Native<'_>) -> Result<(), Fault> {
        self.0 = Some(native.take()?);
        Ok(())
    }
}

fn in_context<'c>(
    compiled: &dyn Compiled,
    (params, result): (&'c [Type], &'c Type),
    args: Args<'c>,
    context: &'c Context,
    out: &'c mut dyn Out,
) -> Result<(), Fault> {
    context.poll()?;
    compiled.run(Call { context, params, result, args, taken: None, out }).map(drop)
}

/// Runs a program of this signature on values of the types of its parameters.
///
/// # Errors
/// The fault that ends the run.
///
/// # Panics
/// If the number or the types of `args` are not the program's.
pub fn run(
    compiled: &dyn Compiled,
    signature: (&[Type], &Type),
    args: &[Value],
    context: &Context,
) -> Result<Value, Fault> {
    let fits = args.iter().zip(signature.0).all(|(arg, ty)| arg.has_type(ty));
    assert!(args.len() == signature.0.len() && fits, "the arguments are not of the types of the program");
    let mut out = Dynamic(None);
    in_context(compiled, signature, Args::Values(args), context, &mut out)?;
    Ok(out.0.expect("a run that ends without a fault has given its result"))
}

/// Runs a program of this signature on Rust values. Machine code reads them where they lie if it can, and the vectors of the result
/// are the memory that it wrote them to.
///
/// # Errors
/// The fault that ends the run.
///
/// # Panics
/// If the types are not the program's.
pub fn call<A: Arguments, R: Element>(
    compiled: &dyn Compiled,
    signature: (&[Type], &Type),
    args: &A,
    context: &Context,
) -> Result<R, Fault> {
    assert!(A::are(signature.0), "the arguments are not of the types of the program");
    assert!(R::is(signature.1), "the result is a {}", signature.1);
    let mut out = Typed(None);
    in_context(compiled, signature, Args::Rust(args), context, &mut out)?;
    Ok(out.0.expect("a run that ends without a fault has given its result"))
}

/// Runs a program as [`call`] does. Its result may be written to the memory that the vectors of `out` have, or is moved there: see [`Output`].
///
/// # Errors
/// The fault that ends the run. `out` has no elements then, and zeros for numbers.
///
/// # Panics
/// If the types are not the program's.
pub fn call_into<A: Arguments, O: Output + ?Sized>(
    compiled: &dyn Compiled,
    signature: (&[Type], &Type),
    out: &mut O,
    args: &A,
    options: &Options,
) -> Result<(), Fault> {
    out.receive(options, |context| call(compiled, signature, args, context))
}
