//! One run of a program: what it is called with, and where its result goes.

use weldment_runtime::api::args::{Arguments, Passed};
use weldment_runtime::api::element::Element;
use weldment_runtime::exec::context::Context;
use weldment_runtime::exec::options::Options;
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;

use super::Compiled;
use super::native::{Arg, Native};

/// One run of a program, for [`Compiled::run`]: its arguments, its context, and where its result goes. The arguments have the types
/// of the program.
pub struct Call<'c> {
    context: &'c Context,
    params: &'c [Type],
    result: &'c Type,
    args: Args<'c>,
    out: &'c mut dyn Out,
}

/// A proof that the result of a run was given.
#[derive(Debug)]
pub struct Given(());

/// The arguments, as the caller has them.
enum Args<'c> {
    Values(&'c [Value]),
    Rust(&'c dyn Rust),
}

/// [`Arguments`], as an object.
trait Rust {
    fn values(&self) -> Vec<Value>;
    fn passed(&self) -> Vec<Passed<'_>>;
}

impl<A: Arguments> Rust for A {
    fn values(&self) -> Vec<Value> {
        self.to_values()
    }

    fn passed(&self) -> Vec<Passed<'_>> {
        Arguments::passed(self)
    }
}

/// Where a result goes.
trait Out {
    fn value(&mut self, value: Value);
    fn native(&mut self, native: Native<'_>) -> Result<(), Fault>;
}

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

impl<'c> Call<'c> {
    /// What the run asks about its surroundings: threads, whether it is cancelled, how much memory it may have.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The arguments, one for each parameter.
    pub fn args(&self) -> Vec<Value> {
        match self.args {
            Args::Values(values) => values.to_vec(),
            Args::Rust(args) => args.values(),
        }
    }

    /// Ends the run with this result.
    ///
    /// # Panics
    /// If it does not have the type of the program's.
    pub fn give(self, value: Value) -> Given {
        assert!(value.has_type(self.result), "the result is not a {}", self.result);
        self.out.value(value);
        Given(())
    }

    /// The types of the arguments.
    pub(super) fn params(&self) -> &'c [Type] {
        self.params
    }

    /// The type of the result.
    pub(super) fn result(&self) -> &'c Type {
        self.result
    }

    /// The arguments for machine code.
    pub(super) fn native_args(&self) -> Vec<Arg<'c>> {
        match self.args {
            Args::Values(values) => values.iter().map(Arg::Value).collect(),
            Args::Rust(args) => args.passed().into_iter().map(Arg::Passed).collect(),
        }
    }

    /// Ends the run with what machine code has written.
    pub(super) fn give_native(self, native: Native<'_>) -> Result<Given, Fault> {
        self.out.native(native)?;
        Ok(Given(()))
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
    compiled.run(Call { context, params, result, args, out }).map(|Given(())| ())
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

/// Runs a program as [`call`] does. Its result may be written to the memory that the vectors of `out` have.
///
/// # Errors
/// The fault that ends the run. `out` has no elements then, and zeros for numbers.
///
/// # Panics
/// If the types are not the program's.
pub fn call_into<A: Arguments, R: Element>(
    compiled: &dyn Compiled,
    signature: (&[Type], &Type),
    out: &mut R,
    args: &A,
    options: &Options,
) -> Result<(), Fault> {
    let context = Context::filling(options, out);
    *out = call(compiled, signature, args, &context)?;
    Ok(())
}
