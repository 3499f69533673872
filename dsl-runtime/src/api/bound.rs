//! Kernels that are bound to what they capture: what `weld!([k, &w] |v| …)` expands to.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use crate::api::arity::for_each_arity;
use crate::api::kernel::KernelInfo;
use crate::api::output::Output;
use crate::exec::context::Context;
use crate::exec::options::Options;
use crate::lang::fault::Fault;

/// A kernel that is bound to values of the Rust around it: what `weld!([k, &w] |v| …)` gives.
///
/// `F` is the type of a function of the parameters that are left, such as `fn(&[f64]) -> f64`. It is called like a function, and has the
/// methods of a [`Kernel`](crate::api::kernel::Kernel). The types `C` and `D` are those of closures and have no names: to keep one in a
/// field, take what [`into_fn`](Bound::into_fn) gives, as a `Box<dyn Fn(&[f64]) -> f64>` or by a type parameter.
///
/// ```
/// # use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::Fault; use weldment_runtime::api::kernel::{self, *}; use weldment_runtime::api::param::*; use weldment_runtime::api::bound::Bound;
/// # static INFO: KernelInfo = KernelInfo::new("", "");
/// # fn run(_: &Context, k: f64, v: &[f64]) -> Result<f64, Fault> { Ok(v.iter().map(|x| x * k).sum()) }
/// # macro_rules! weld { ([$k:ident] $($program:tt)*) => { Bound::<fn(&[f64]) -> f64, _, _>::new(&INFO,
/// #     move |v: &[f64]| -> f64 { kernel::unwrap(run(Context::ambient(), $k, v)) },
/// #     move |cx: &Context, v: &[f64]| -> Result<f64, Fault> { run(cx, $k, v) }) } }
/// # use weldment_runtime::exec::options::Options;
/// let k = 2.0;
/// let scaled = weld!([k] |v: &[f64]| v.map(|x| x * k).sum());
/// assert_eq!(scaled(&[1.0, 2.0]), 6.0);
/// assert_eq!(scaled.try_call(&[1.0, 2.0])?, 6.0);
/// assert_eq!(scaled.with(&Options::new().threads(2)).call(&[1.0, 2.0])?, 6.0);
/// # Ok::<(), Fault>(())
/// ```
#[derive(Clone, Copy)]
pub struct Bound<F, C, D> {
    call: C,
    run: D,
    info: &'static KernelInfo,
    of: PhantomData<F>,
}

/// A bound kernel together with the options to run it with: what [`Bound::with`] gives.
///
/// ```
/// # use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::Fault; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::api::bound::Bound;
/// # static INFO: KernelInfo = KernelInfo::new("", "");
/// # macro_rules! weld { ([$k:ident] $($program:tt)*) => { Bound::<fn(f64) -> f64, _, _>::new(&INFO,
/// #     move |x: f64| -> f64 { x * $k }, move |_: &Context, x: f64| -> Result<f64, Fault> { Ok(x * $k) }) } }
/// # use weldment_runtime::exec::options::Options;
/// let k = 2.0;
/// let scaled = weld!([k] |x: f64| x * k);
/// let options = Options::new().threads(1);
/// let sequential = scaled.with(&options);
/// assert_eq!(sequential.call(3.0), Ok(6.0));
/// ```
#[derive(Clone, Debug)]
pub struct BoundWith<'b, F, D> {
    run: &'b D,
    context: Context,
    of: PhantomData<F>,
}

impl<F, C, D> Bound<F, C, D> {
    /// The kernel whose panicking entry is `call` and whose fallible entry is `run`: this is for emitted code.
    pub const fn new(info: &'static KernelInfo, call: C, run: D) -> Bound<F, C, D> {
        Bound { call, run, info, of: PhantomData }
    }

    /// The kernel as a plain closure, `impl Fn(&[f64]) -> f64`, which panics with the text of a fault.
    ///
    /// ```
    /// # use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::Fault; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::api::bound::Bound;
    /// # static INFO: KernelInfo = KernelInfo::new("", "");
    /// # macro_rules! weld { ([$k:ident] $($program:tt)*) => { Bound::<fn(f64) -> f64, _, _>::new(&INFO,
    /// #     move |x: f64| -> f64 { x * $k }, move |_: &Context, x: f64| -> Result<f64, Fault> { Ok(x * $k) }) } }
    /// fn scale(k: f64) -> impl Fn(f64) -> f64 {
    ///     weld!([k] |x: f64| x * k).into_fn()
    /// }
    /// assert_eq!([1.0, 2.0].map(scale(3.0)), [3.0, 6.0]);
    /// ```
    pub fn into_fn(self) -> C {
        self.call
    }

    /// This kernel, to be run with `options`: `bound.with(&options).call(…)` gives a `Result`.
    ///
    /// ```
    /// # use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::Fault; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::api::bound::Bound;
    /// # static INFO: KernelInfo = KernelInfo::new("", "");
    /// # macro_rules! weld { ([$k:ident] $($program:tt)*) => { Bound::<fn(f64) -> f64, _, _>::new(&INFO,
    /// #     move |x: f64| -> f64 { x * $k }, move |_: &Context, x: f64| -> Result<f64, Fault> { Ok(x * $k) }) } }
    /// # use weldment_runtime::exec::options::Options;
    /// let k = 2.0;
    /// let scaled = weld!([k] |x: f64| x * k);
    /// assert_eq!(scaled.with(&Options::new().threads(1)).call(3.0), Ok(6.0));
    /// ```
    pub fn with(&self, options: &Options) -> BoundWith<'_, F, D> {
        BoundWith { run: &self.run, context: Context::new(options), of: PhantomData }
    }

    /// The program, as the user wrote it, behind the structs and functions that it names. To a program that is text, what is captured is
    /// its first parameters.
    ///
    /// ```
    /// # use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::Fault; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::api::bound::Bound;
    /// # static INFO: KernelInfo = KernelInfo::new("[k] |x: f64| x * k", "loops: 0 before, 0 after");
    /// # macro_rules! weld { ([$k:ident] $($program:tt)*) => { Bound::<fn(f64) -> f64, _, _>::new(&INFO,
    /// #     move |x: f64| -> f64 { x * $k }, move |_: &Context, x: f64| -> Result<f64, Fault> { Ok(x * $k) }) } }
    /// let k = 2.0;
    /// let scaled = weld!([k] |x: f64| x * k);
    /// assert_eq!(scaled.source(), "[k] |x: f64| x * k");
    /// ```
    pub fn source(&self) -> &'static str {
        self.info.source()
    }

    /// What the compiler did with the program, as [`Kernel::explain`](crate::api::kernel::Kernel::explain).
    ///
    /// ```
    /// # use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::Fault; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::api::bound::Bound;
    /// # static INFO: KernelInfo = KernelInfo::new("[k] |x: f64| x * k", "loops: 0 before, 0 after");
    /// # macro_rules! weld { ([$k:ident] $($program:tt)*) => { Bound::<fn(f64) -> f64, _, _>::new(&INFO,
    /// #     move |x: f64| -> f64 { x * $k }, move |_: &Context, x: f64| -> Result<f64, Fault> { Ok(x * $k) }) } }
    /// let k = 2.0;
    /// assert!(weld!([k] |x: f64| x * k).explain().starts_with("loops: 0"));
    /// ```
    pub fn explain(&self) -> &'static str {
        self.info.explain()
    }
}

impl<F, C, D> Deref for Bound<F, C, D> {
    type Target = C;

    #[inline(always)]
    fn deref(&self) -> &C {
        &self.call
    }
}

impl<F, C, D> fmt::Debug for Bound<F, C, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Bound").field(&self.info.source()).finish()
    }
}

macro_rules! arity {
    ($($ty:ident $arg:ident)*) => {
        impl<$($ty,)* R, Call, Run> Bound<fn($($ty),*) -> R, Call, Run>
        where
            Run: Fn(&Context, $($ty),*) -> Result<R, Fault>,
        {
            /// Runs the program with the default options.
            ///
            /// # Errors
            /// The [`Fault`] that ends the run, the same at any number of threads.
            ///
            /// ```
            /// # use weldment_runtime::ops::checked; use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::Fault; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::api::bound::Bound;
            /// # static INFO: KernelInfo = KernelInfo::new("", "");
            /// # macro_rules! weld { ([$k:ident] $($program:tt)*) => { Bound::<fn(i64) -> i64, _, _>::new(&INFO,
            /// #     move |x: i64| -> i64 { unwrap(checked::div($k, x, 1, 18)) }, move |_: &Context, x: i64| -> Result<i64, Fault> { checked::div($k, x, 1, 18) }) } }
            /// let k = 7;
            /// let quotient = weld!([k] |x: i64| k / x);
            /// assert_eq!(quotient.try_call(2), Ok(3));
            /// assert_eq!(quotient.try_call(0).unwrap_err().to_string(), "division by zero: 7 / 0 (at 1:18)");
            /// ```
            #[allow(clippy::too_many_arguments)]
            #[inline]
            pub fn try_call(&self, $($arg: $ty),*) -> Result<R, Fault> {
                (self.run)(Context::ambient(), $($arg),*)
            }

            /// Runs the program with the default options, and writes its result to the memory of `out`, as
            /// [`Kernel::call_into`](crate::api::kernel::Kernel::call_into) does.
            ///
            /// # Errors
            /// The [`Fault`] that ends the run. `out` has no elements then, and zeros for numbers.
            ///
            /// ```
            /// # use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::Fault; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::api::bound::Bound;
            /// # static INFO: KernelInfo = KernelInfo::new("", "");
            /// # macro_rules! weld { ([$k:ident] $($program:tt)*) => { Bound::<fn(f64) -> f64, _, _>::new(&INFO,
            /// #     move |x: f64| -> f64 { x * $k }, move |_: &Context, x: f64| -> Result<f64, Fault> { Ok(x * $k) }) } }
            /// let (k, mut out) = (2.0, 0.0);
            /// weld!([k] |x: f64| x * k).call_into(&mut out, 3.0)?;
            /// assert_eq!(out, 6.0);
            /// # Ok::<(), Fault>(())
            /// ```
            #[allow(clippy::too_many_arguments)]
            pub fn call_into<Out: Output<Of = R> + ?Sized>(&self, out: &mut Out, $($arg: $ty),*) -> Result<(), Fault> {
                out.receive(&Options::new(), |cx| (self.run)(cx, $($arg),*))
            }
        }

        impl<$($ty,)* R, Run> BoundWith<'_, fn($($ty),*) -> R, Run>
        where
            Run: Fn(&Context, $($ty),*) -> Result<R, Fault>,
        {
            /// Runs the program with these options.
            ///
            /// # Errors
            /// The [`Fault`] that ends the run, which can be that it was cancelled.
            ///
            /// ```
            /// # use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::Fault; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::api::bound::Bound;
            /// # static INFO: KernelInfo = KernelInfo::new("", "");
            /// # macro_rules! weld { ([$k:ident] $($program:tt)*) => { Bound::<fn(f64) -> f64, _, _>::new(&INFO,
            /// #     move |x: f64| -> f64 { x * $k }, move |_: &Context, x: f64| -> Result<f64, Fault> { Ok(x * $k) }) } }
            /// # use weldment_runtime::exec::options::Options;
            /// let (k, options) = (2.0, Options::new().threads(1));
            /// assert_eq!(weld!([k] |x: f64| x * k).with(&options).call(3.0), Ok(6.0));
            /// ```
            #[allow(clippy::too_many_arguments)]
            #[inline]
            pub fn call(&self, $($arg: $ty),*) -> Result<R, Fault> {
                // Each call is a run of its own, with what it holds counted from 0.
                let cx = self.context.clone();
                cx.poll()?;
                (self.run)(&cx, $($arg),*)
            }

            /// Runs the program with these options, and writes its result to the memory of `out`: as [`Bound::call_into`].
            ///
            /// # Errors
            /// The [`Fault`] that ends the run. `out` has no elements then, and zeros for numbers.
            ///
            /// ```
            /// # use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::Fault; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::api::bound::Bound;
            /// # static INFO: KernelInfo = KernelInfo::new("", "");
            /// # macro_rules! weld { ([$k:ident] $($program:tt)*) => { Bound::<fn(f64) -> f64, _, _>::new(&INFO,
            /// #     move |x: f64| -> f64 { x * $k }, move |_: &Context, x: f64| -> Result<f64, Fault> { Ok(x * $k) }) } }
            /// # use weldment_runtime::exec::options::Options;
            /// let (k, options, mut out) = (2.0, Options::new().threads(1), 0.0);
            /// weld!([k] |x: f64| x * k).with(&options).call_into(&mut out, 3.0)?;
            /// assert_eq!(out, 6.0);
            /// # Ok::<(), Fault>(())
            /// ```
            #[allow(clippy::too_many_arguments)]
            pub fn call_into<Out: Output<Of = R> + ?Sized>(&self, out: &mut Out, $($arg: $ty),*) -> Result<(), Fault> {
                out.receive(&self.context.options, |cx| {
                    cx.poll()?;
                    (self.run)(cx, $($arg),*)
                })
            }
        }
    };
}

for_each_arity!(arity);
