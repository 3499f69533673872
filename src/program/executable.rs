//! Programs that are ready to run.

use std::fmt;
use std::sync::Arc;

use weldment_codegen::backend::{self, CacheStatus, Compiled};
use weldment_runtime::api::args::Arguments;
use weldment_runtime::api::element::Element;
use weldment_runtime::api::output::Output;
use weldment_runtime::exec::context::Context;
use weldment_runtime::exec::options::Options;
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;

use super::variants::{Ready, Variants};

/// A program that is ready to run. Cheap to clone.
///
/// It is [called](Executable::call) with Rust values, whose types are checked against the program's once per call:
///
/// ```
/// use weldment::{CompileOptions, Program};
///
/// let program = Program::parse("|price: &[f64], count: &[i32]| zip(price, count).map(|(p, c)| p * f64(c)).sum()")?;
/// let total = program.compile(&CompileOptions::default())?;
/// let (price, count) = (vec![2.5, 4.0], vec![2, 1]);
/// assert_eq!(total.call::<(&[f64], &[i32]), f64>((&price, &count))?, 9.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// or [run](Executable::run) on values that carry their types with them.
#[derive(Clone, Debug)]
pub struct Executable {
    /// The types of its parameters, and of its result.
    signature: Arc<(Vec<Type>, Type)>,
    compiled: Arc<dyn Compiled>,
    variants: Option<Arc<Variants>>,
}

/// A call with types that are not the program's.
///
/// ```
/// use weldment::{CompileOptions, Program, Type};
/// let sum = Program::parse("|v: &[f64]| v.sum()")?.compile(&CompileOptions::default())?;
/// let mismatch = sum.check::<(f64,), f64>().unwrap_err();
/// assert_eq!(mismatch.program, (vec![Type::vec(Type::F64)], Type::F64));
/// assert_eq!(mismatch.call, (vec![Type::F64], Type::F64));
/// # Ok::<(), weldment::CompileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeMismatch {
    /// The types that the program takes and gives.
    pub program: (Vec<Type>, Type),
    /// The types of the call.
    pub call: (Vec<Type>, Type),
}

impl Executable {
    pub(super) fn new(params: &[Type], result: &Type, ready: Ready) -> Executable {
        let Ready { compiled, variants } = ready;
        Executable { signature: Arc::new((params.to_vec(), result.clone())), compiled, variants }
    }

    fn signature(&self) -> (&[Type], &Type) {
        (&self.signature.0, &self.signature.1)
    }

    /// Runs the program on Rust values, a tuple of one [`Argument`](crate::Argument) per parameter.
    ///
    /// Compiled by LLVM, the program reads slices of scalars and of tuples in place; only vectors in vectors get a
    /// table of where their rows are, and dictionaries and tuples that Rust has laid out otherwise than C would
    /// are copied. A vector in the result is the memory that the program wrote it to. The interpreter copies both.
    ///
    /// # Errors
    /// The fault that ends the run.
    ///
    /// # Panics
    /// If `A` and `R` are not the types of the program: [`Executable::check`] tells beforehand.
    ///
    /// ```
    /// use weldment::{CompileOptions, Dict, FaultKind, Program};
    ///
    /// let program = Program::parse(
    ///     "|rows: &[(i64, f64)]| result(for(rows, dictmerger[i64,f64,+], |b, i, (k, x)| merge(b, {k / 10L, x})))",
    /// )?;
    /// let sums = program.compile(&CompileOptions::default())?;
    /// let sums: Dict<i64, f64> = sums.call((&[(10i64, 0.5), (23, 1.0), (19, 2.0)],))?;
    /// assert_eq!(sums.iter().collect::<Vec<_>>(), [(&1, &2.5), (&2, &1.0)]);
    ///
    /// let pick = Program::parse("|v: &[i64], i: i64| v[i]")?.compile(&CompileOptions::default())?;
    /// let fault = pick.call::<(&[i64], i64), i64>((&[1, 2], 7)).unwrap_err();
    /// assert_eq!(fault.kind, FaultKind::IndexOutOfBounds);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn call<A: Arguments, R: Element>(&self, args: A) -> Result<R, Fault> {
        self.call_with(&Options::new(), args)
    }

    /// Runs the program on Rust values as `options` say.
    ///
    /// # Errors
    /// The fault that ends the run.
    ///
    /// # Panics
    /// As [`Executable::call`].
    ///
    /// ```
    /// use weldment::{CompileOptions, Options, Program};
    ///
    /// let squares = Program::parse("|v: &[i64]| v.map(|x| x * x)")?.compile(&CompileOptions::default())?;
    /// let options = Options::new().threads(1);
    /// assert_eq!(squares.call_with::<(&[i64],), Vec<i64>>(&options, (&[2, 3],))?, [4, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn call_with<A: Arguments, R: Element>(&self, options: &Options, args: A) -> Result<R, Fault> {
        if let Err(mismatch) = self.check::<A, R>() {
            panic!("{mismatch}");
        }
        backend::call(&*self.compiled, self.signature(), &args, &Context::new(options))
    }

    /// Runs the program on Rust values, and writes its result to the memory that the vectors of `out` have, as far as it
    /// suffices; a vector keeps room that it does not need, for the next call. Compiled by LLVM, small vectors are copied
    /// there. The interpreter makes new ones. An array goes to an [`ArrayViewMut`](crate::ArrayViewMut) as well, and a vector to a slice:
    /// see [`Output`].
    ///
    /// # Errors
    /// The fault that ends the run. `out` has no elements then, and zeros for numbers.
    ///
    /// # Panics
    /// As [`Executable::call`].
    ///
    /// ```
    /// use weldment::{CompileOptions, Program};
    ///
    /// let squares = Program::parse("|v: &[i64]| v.map(|x| x * x)")?.compile(&CompileOptions::default())?;
    /// let mut out: Vec<i64> = Vec::new();
    /// for v in [[1, 2], [3, 4]] {
    ///     squares.call_into::<(&[i64],), _>(&mut out, (&v,))?; // the second time in the same memory
    /// }
    /// assert_eq!(out, [9, 16]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn call_into<A: Arguments, O: Output + ?Sized>(&self, out: &mut O, args: A) -> Result<(), Fault> {
        self.call_into_with(&Options::new(), out, args)
    }

    /// As [`Executable::call_into`], as `options` say.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Panics
    /// As [`Executable::call`].
    ///
    /// ```
    /// use weldment::{CompileOptions, Options, Program};
    ///
    /// let squares = Program::parse("|v: &[i64]| v.map(|x| x * x)")?.compile(&CompileOptions::default())?;
    /// let (options, mut out) = (Options::new().threads(1), vec![0i64; 2]);
    /// squares.call_into_with::<(&[i64],), _>(&options, &mut out, (&[2, 3],))?;
    /// assert_eq!(out, [4, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn call_into_with<A: Arguments, O: Output + ?Sized>(
        &self,
        options: &Options,
        out: &mut O,
        args: A,
    ) -> Result<(), Fault> {
        if let Err(mismatch) = self.check::<A, O::Of>() {
            panic!("{mismatch}");
        }
        backend::call_into(&*self.compiled, self.signature(), out, &args, options)
    }

    /// What became of the program in the [`cache_dir`](crate::CompileOptions::cache_dir) that it was compiled with. LLVM keeps programs
    /// there, and other executors may.
    ///
    /// ```
    /// use weldment::{CacheStatus, CompileOptions, Executor, Program};
    ///
    /// let (executor, cache_dir) = (Executor::Interpreter, Some("/dev/null".into()));
    /// let options = CompileOptions { executor, cache_dir, ..CompileOptions::default() };
    /// let negated = Program::parse("|x: i64| -x")?.compile(&options)?;
    /// assert_eq!(negated.cache_status(), &CacheStatus::Off); // the interpreter has nothing to keep
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cache_status(&self) -> &CacheStatus {
        self.compiled.cache_status()
    }

    /// How many variants of the program have been compiled for values of its `const` parameters, of 16 at most.
    ///
    /// A program with such parameters, `|v: &[f64], const n: i64| …`, is called as any other. It is compiled once as it is, and
    /// once more for each of the first 16 combinations of values of these parameters that it is called with, when it is: such a call takes
    /// as long as compiling does, and others with the same values at the same time wait for it. Further values, and those that are no
    /// [constants](crate::Program::with_constants) since they are too large, run the program as it is. The results are the same.
    /// The interpreter compiles no variants.
    ///
    /// A vector is compared with those that there were in each call: declare short ones `const`.
    ///
    /// ```
    /// use weldment::{CompileOptions, Program};
    ///
    /// let text = "|v: &[f64], const n: i64| (0..len(v) - n + 1).map(|i| (0..n).map(|k| v[i + k]).sum())";
    /// let sums = Program::parse(text)?.compile(&CompileOptions::default())?;
    /// let v: &[f64] = &[1.0, 2.0, 4.0, 8.0];
    /// assert_eq!(sums.call::<(&[f64], i64), Vec<f64>>((v, 2))?, [3.0, 6.0, 12.0]);
    /// assert_eq!(sums.call::<(&[f64], i64), Vec<f64>>((v, 3))?, [7.0, 14.0]);
    /// assert_eq!(sums.call::<(&[f64], i64), Vec<f64>>((v, 2))?, [3.0, 6.0, 12.0]);
    /// # #[cfg(feature = "llvm")]
    /// assert_eq!(sums.variants(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn variants(&self) -> usize {
        self.variants.as_ref().map_or(0, |variants| variants.count())
    }

    /// Whether the program can be called with an `A` and gives an `R`.
    ///
    /// # Errors
    /// The types, if it cannot.
    ///
    /// ```
    /// use weldment::{CompileOptions, Program};
    ///
    /// let sum = Program::parse("|v: &[f64]| v.sum()")?.compile(&CompileOptions::default())?;
    /// assert!(sum.check::<(&[f64],), f64>().is_ok());
    /// let error = sum.check::<(&[f32],), f64>().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the program is a |vec[f64]| -> f64 and cannot be called as a |vec[f32]| -> f64",
    /// );
    /// # Ok::<(), weldment::CompileError>(())
    /// ```
    pub fn check<A: Arguments, R: Element>(&self) -> Result<(), TypeMismatch> {
        let (params, result) = self.signature();
        if A::are(params) && R::is(result) {
            return Ok(());
        }
        Err(TypeMismatch { program: (*self.signature).clone(), call: (A::types(), R::ty()) })
    }

    /// Runs the program on one value per parameter.
    ///
    /// # Errors
    /// The fault that ends the run: [`BadArguments`](crate::FaultKind::BadArguments) before it begins if the number
    /// or the types of `args` are not the program's, which [`Program::params`](crate::Program::params) tells.
    ///
    /// ```
    /// use weldment::{CompileOptions, FaultKind, Program, Value};
    ///
    /// let divide = Program::parse("|x: i64, y: i64| x / y")?.compile(&CompileOptions::default())?;
    /// assert_eq!(divide.run(&[Value::I64(7), Value::I64(2)])?.to_string(), "3");
    /// let fault = divide.run(&[Value::I64(7), Value::I64(0)]).unwrap_err();
    /// assert_eq!((fault.kind, fault.position.column), (FaultKind::DivisionByZero, 20));
    /// let fault = divide.run(&[Value::I64(7), Value::F64(2.0)]).unwrap_err();
    /// assert_eq!(fault.to_string(), "bad arguments: argument 2 is not of type i64");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(&self, args: &[Value]) -> Result<Value, Fault> {
        self.run_with(&Options::new(), args)
    }

    /// Runs the program as `options` say. The interpreter has one thread, whatever they say of those.
    ///
    /// # Errors
    /// As [`Executable::run`].
    ///
    /// ```
    /// use weldment::{CompileOptions, Options, Program, Value};
    ///
    /// let squares = Program::parse("|v: &[i64]| v.map(|x| x * x)")?.compile(&CompileOptions::default())?;
    /// let v = Value::vec(vec![Value::I64(2), Value::I64(3)]);
    /// assert_eq!(squares.run_with(&Options::new().threads(1), &[v])?.to_string(), "[4, 9]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_with(&self, options: &Options, args: &[Value]) -> Result<Value, Fault> {
        let (params, _) = self.signature();
        if args.len() != params.len() {
            return Err(Fault::argument_count(args.len(), params.len()));
        }
        match args.iter().zip(params).position(|(arg, ty)| !arg.has_type(ty)) {
            Some(misfit) => Err(Fault::argument_type(misfit + 1, &params[misfit])),
            None => backend::run(&*self.compiled, self.signature(), args, &Context::new(options)),
        }
    }
}

impl fmt::Display for TypeMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signature = |(params, result): &(Vec<Type>, Type)| {
            let params: Vec<String> = params.iter().map(Type::to_string).collect();
            format!("|{}| -> {result}", params.join(", "))
        };
        let (program, call) = (signature(&self.program), signature(&self.call));
        write!(f, "the program is a {program} and cannot be called as a {call}")
    }
}

impl std::error::Error for TypeMismatch {}
