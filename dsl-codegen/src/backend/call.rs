//! One run of a program: what it is called with, and where its result goes.

use weldment_runtime::api::args::{Arguments, Passed};
use weldment_runtime::exec::context::Context;
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;

use super::native::{Arg, Native};

/// One run of a program, for [`Compiled::run`](super::Compiled::run): its arguments, its context, and where its result goes. The arguments have the types
/// of the program.
pub struct Call<'c> {
    pub(super) context: &'c Context,
    pub(super) params: &'c [Type],
    pub(super) result: &'c Type,
    pub(super) args: Args<'c>,
    /// The numbers of those that the program takes; all, if nothing is said.
    pub(super) taken: Option<&'c [usize]>,
    pub(super) out: &'c mut dyn Out,
}

/// A proof that the result of a run was given.
#[derive(Debug)]
pub struct Given(());

/// The arguments, as the caller has them.
pub(super) enum Args<'c> {
    Values(&'c [Value]),
    Rust(&'c dyn Rust),
}

/// [`Arguments`], as an object.
pub(super) trait Rust {
    fn values(&self) -> Vec<Value>;
    fn value_of(&self, number: usize) -> Value;
    fn passed(&self) -> Vec<Passed<'_>>;
}

impl<A: Arguments> Rust for A {
    fn values(&self) -> Vec<Value> {
        self.to_values()
    }

    fn value_of(&self, number: usize) -> Value {
        self.to_value_of(number)
    }

    fn passed(&self) -> Vec<Passed<'_>> {
        Arguments::passed(self)
    }
}

/// Where a result goes.
pub(super) trait Out {
    fn value(&mut self, value: Value);
    fn native(&mut self, native: Native<'_>) -> Result<(), Fault>;
}

impl<'c> Call<'c> {
    /// What the run asks about its surroundings: threads, whether it is cancelled, how much memory it may have.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The arguments, one for each parameter.
    pub fn args(&self) -> Vec<Value> {
        match (&self.args, self.taken) {
            (Args::Values(values), None) => values.to_vec(),
            (Args::Rust(args), None) => args.values(),
            (_, Some(taken)) => (0..taken.len()).map(|number| self.arg(number)).collect(),
        }
    }

    /// The argument of the parameter with this number.
    ///
    /// # Panics
    /// If there is none.
    pub fn arg(&self, number: usize) -> Value {
        let number = self.number(number);
        match &self.args {
            Args::Values(values) => values[number].clone(),
            Args::Rust(args) => args.value_of(number),
        }
    }

    /// How many elements the argument of the parameter with this number has, if it is a vector whose length is known at once.
    ///
    /// # Panics
    /// If there is none.
    pub fn len_of_arg(&self, number: usize) -> Option<usize> {
        let number = self.number(number);
        match &self.args {
            Args::Values(values) => match &values[number] {
                Value::Vec(elements) => Some(elements.len()),
                _ => None,
            },
            Args::Rust(args) => args.passed()[number].len(),
        }
    }

    /// The same run of a program that takes some of the arguments: `params` are their types, and `taken` their numbers, in order.
    ///
    /// # Panics
    /// If some are left out already.
    pub fn of_some<'s>(self, params: &'s [Type], taken: &'s [usize]) -> Call<'s>
    where
        'c: 's,
    {
        assert!(self.taken.is_none(), "arguments are left out once");
        let Call { context, result, args, out, .. } = self;
        Call { context, params, result, args, taken: Some(taken), out }
    }

    /// The number of the argument that the parameter `number` takes.
    fn number(&self, number: usize) -> usize {
        self.taken.map_or(number, |taken| taken[number])
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
        let all: Vec<Arg<'c>> = match self.args {
            Args::Values(values) => values.iter().map(Arg::Value).collect(),
            Args::Rust(args) => args.passed().into_iter().map(Arg::Passed).collect(),
        };
        match self.taken {
            None => all,
            Some(taken) => taken.iter().map(|&number| all[number]).collect(),
        }
    }

    /// Ends the run with what machine code has written.
    pub(super) fn give_native(self, native: Native<'_>) -> Result<Given, Fault> {
        self.out.native(native)?;
        Ok(Given(()))
    }
}
