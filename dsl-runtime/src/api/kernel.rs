//! Kernels: what `weld!` expands to, and how one is called.
//!
//! A [`Kernel<fn(A, B) -> R>`](Kernel) holds two entries to the same program. `call` is a plain function
//! that panics with the text of a fault; it is what the kernel dereferences to, so that `k(a, b)` works.
//! `run` takes a [`Context`] besides and gives a `Result`; it is behind [`Kernel::try_call`] and
//! [`Kernel::with`].
//!
//! The type of `run` cannot be written in terms of the kernel's one type parameter, so it is stored
//! without its type. [`Signature`] is how a kernel comes to be: it names the parameters and the result
//! once, and accepts only a `call` and a `run` that agree with them.

#![expect(unsafe_code, reason = "the type of the fallible entry is erased, and restored when it is called")]

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use crate::api::arity::for_each_arity;
use crate::api::output::Output;
use crate::api::param::Param;
use crate::exec::context::Context;
use crate::exec::options::Options;
use crate::lang::fault::Fault;

/// A compiled program that is called like a function: what `weld!` gives.
///
/// `F` is the type of a plain function, such as `fn(&[f64], f64) -> Vec<f64>`. Called as `k(x, 2.0)`, a
/// kernel panics on a [`Fault`], as indexing a slice does; [`try_call`](Kernel::try_call) gives a `Result`.
/// A kernel can be a local, a `static`, a `const` or a field, is `Copy`, and costs nothing to make.
///
/// ```
/// # use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::Fault; use weldment_runtime::api::kernel::{self, *}; use weldment_runtime::api::param::*;
/// # macro_rules! weld { ($($source:tt)*) => {{
/// #     fn run(_cx: &Context, x: &[f64], k: f64) -> Result<Vec<f64>, Fault> { Ok(x.iter().map(|x| x * k).collect()) }
/// #     fn call(x: &[f64], k: f64) -> Vec<f64> { kernel::unwrap(run(Context::ambient(), x, k)) }
/// #     static INFO: KernelInfo = KernelInfo::new("", "");
/// #     Signature::<(Ref<[f64]>, Own<f64>), Vec<f64>>::kernel(call, run, &INFO)
/// # }} }
/// # use weldment_runtime::exec::options::Options;
/// static SCALE: Kernel<fn(&[f64], f64) -> Vec<f64>> = weld!(|x: &[f64], k: f64| x.map(|x| x * k));
///
/// let x = vec![1.0, 2.0];
/// assert_eq!(SCALE(&x, 2.0), [2.0, 4.0]);
/// assert_eq!(SCALE.try_call(&x, 2.0)?, [2.0, 4.0]);
/// assert_eq!(SCALE.with(&Options::new().threads(2)).call(&x, 2.0)?, [2.0, 4.0]);
/// # Ok::<(), weldment_runtime::lang::fault::Fault>(())
/// ```
#[derive(Clone, Copy)]
pub struct Kernel<F> {
    call: F,
    run: Erased,
    info: &'static KernelInfo,
}

/// The fallible entry of a kernel, without its type.
///
/// In a `Kernel<F>` with `F` = `fn(A…) -> R` this is always a `fn(&Context, A…) -> Result<R, Fault>`, where
/// `A…` and `R` may be supertypes or subtypes of those it was made with, which differ in lifetimes only.
#[derive(Clone, Copy)]
struct Erased(fn());

/// A kernel together with the options to run it with: what [`Kernel::with`] gives.
///
/// ```
/// # use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::Fault; use weldment_runtime::api::kernel::{self, *}; use weldment_runtime::api::param::*;
/// # macro_rules! weld { ($($source:tt)*) => {{
/// #     fn run(_cx: &Context, x: &[f64], k: f64) -> Result<Vec<f64>, Fault> { Ok(x.iter().map(|x| x * k).collect()) }
/// #     fn call(x: &[f64], k: f64) -> Vec<f64> { kernel::unwrap(run(Context::ambient(), x, k)) }
/// #     static INFO: KernelInfo = KernelInfo::new("", "");
/// #     Signature::<(Ref<[f64]>, Own<f64>), Vec<f64>>::kernel(call, run, &INFO)
/// # }} }
/// # use weldment_runtime::exec::options::Options;
/// let kernel = weld!(|x: &[f64], k: f64| x.map(|x| x * k));
/// let options = Options::new().threads(1);
/// let sequential = kernel.with(&options);
/// assert_eq!(sequential.call(&[3.0], 2.0), Ok(vec![6.0]));
/// ```
#[derive(Clone, Debug)]
pub struct With<'k, F> {
    kernel: &'k Kernel<F>,
    context: Context,
}

/// What is known of a kernel besides its code.
#[derive(Clone, Copy, Debug)]
pub struct KernelInfo {
    source: &'static str,
    explain: &'static str,
}

/// The parameters `A`, a tuple of [`Param`]s, and the result `R` of a kernel: the way to make one.
///
/// This is for emitted code, whose expansion is one constant expression of this shape:
///
/// ```
/// use weldment_runtime::exec::context::Context;
/// use weldment_runtime::lang::fault::Fault;
/// use weldment_runtime::api::kernel::{self, Kernel, KernelInfo, Signature};
/// use weldment_runtime::api::param::{Own, Ref};
///
/// const SCALE: Kernel<fn(&[f64], f64) -> Vec<f64>> = {
///     fn run(_cx: &Context, x: &[f64], k: f64) -> Result<Vec<f64>, Fault> {
///         Ok(x.iter().map(|x| x * k).collect())
///     }
///     fn call(x: &[f64], k: f64) -> Vec<f64> {
///         kernel::unwrap(run(Context::ambient(), x, k))
///     }
///     static INFO: KernelInfo = KernelInfo::new("|x: &[f64], k: f64| x.map(|x| x * k)", "one loop");
///     Signature::<(Ref<[f64]>, Own<f64>), Vec<f64>>::kernel(call, run, &INFO)
/// };
/// assert_eq!(SCALE(&[1.0], 3.0), [3.0]);
/// ```
pub struct Signature<A, R>(PhantomData<fn(A) -> R>);

impl<F> Kernel<F> {
    /// This kernel, to be run with `options`: `kernel.with(&options).call(…)` gives a `Result`.
    ///
    /// ```
    /// # use weldment_runtime::ops::checked; use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::FaultKind; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::exec::options::*;
    /// # static INFO: KernelInfo = KernelInfo::new("|x: i64, y: i64| x / y", "loops: 0 before, 0 after");
    /// # macro_rules! weld { ($($program:tt)*) => { Signature::<(Own<i64>, Own<i64>), i64>::kernel(
    /// #     |x, y| unwrap(checked::div(x, y, 1, 18)), |_, x, y| checked::div(x, y, 1, 18), &INFO) } }
    /// let quotient = weld!(|x: i64, y: i64| x / y);
    /// let cancel = Cancel::new();
    /// let quotient = quotient.with(&Options::new().threads(1).cancel(&cancel));
    /// assert_eq!(quotient.call(7, 2), Ok(3));
    /// assert_eq!(quotient.call(7, 0).unwrap_err().kind, FaultKind::DivisionByZero);
    /// ```
    pub fn with(&self, options: &Options) -> With<'_, F> {
        With { kernel: self, context: Context::new(options) }
    }

    /// The program, as the user wrote it; in front of it the structs that it names, as a program that is text defines them.
    ///
    /// ```
    /// # use weldment_runtime::ops::checked; use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::FaultKind; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::exec::options::*;
    /// # static INFO: KernelInfo = KernelInfo::new("|x: i64, y: i64| x / y", "loops: 0 before, 0 after");
    /// # macro_rules! weld { ($($program:tt)*) => { Signature::<(Own<i64>, Own<i64>), i64>::kernel(
    /// #     |x, y| unwrap(checked::div(x, y, 1, 18)), |_, x, y| checked::div(x, y, 1, 18), &INFO) } }
    /// let quotient = weld!(|x: i64, y: i64| x / y);
    /// assert_eq!(quotient.source(), "|x: i64, y: i64| x / y");
    /// ```
    pub fn source(&self) -> &'static str {
        self.info.source
    }

    /// What the compiler did with the program: its loops before and after, what was fused and what was not. The
    /// text is for people; its form may change.
    ///
    /// ```
    /// # use weldment_runtime::ops::checked; use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::FaultKind; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::exec::options::*;
    /// # static INFO: KernelInfo = KernelInfo::new("|x: i64, y: i64| x / y", "loops: 0 before, 0 after");
    /// # macro_rules! weld { ($($program:tt)*) => { Signature::<(Own<i64>, Own<i64>), i64>::kernel(
    /// #     |x, y| unwrap(checked::div(x, y, 1, 18)), |_, x, y| checked::div(x, y, 1, 18), &INFO) } }
    /// let quotient = weld!(|x: i64, y: i64| x / y);
    /// assert!(quotient.explain().starts_with("loops: 0"));
    /// ```
    pub fn explain(&self) -> &'static str {
        self.info.explain
    }
}

impl KernelInfo {
    /// The program's `source` text and the compiler's account of what became of it.
    pub const fn new(source: &'static str, explain: &'static str) -> KernelInfo {
        KernelInfo { source, explain }
    }

    /// The program, as the user wrote it.
    pub const fn source(&self) -> &'static str {
        self.source
    }

    /// What the compiler did with the program.
    pub const fn explain(&self) -> &'static str {
        self.explain
    }
}

/// The value of `result`, for the entry that cannot return a fault.
///
/// # Panics
/// With the text of the fault.
#[inline]
pub fn unwrap<R>(result: Result<R, Fault>) -> R {
    match result {
        Ok(value) => value,
        Err(fault) => panic_with(&fault),
    }
}

#[cold]
#[inline(never)]
fn panic_with(fault: &Fault) -> ! {
    panic!("{fault}")
}

impl<F> Deref for Kernel<F> {
    type Target = F;

    #[inline(always)]
    fn deref(&self) -> &F {
        &self.call
    }
}

impl<F> fmt::Debug for Kernel<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kernel").field(&self.info.source).finish()
    }
}

macro_rules! arity {
    ($($ty:ident $arg:ident)*) => {
        impl<$($ty: Param,)* R> Signature<($($ty,)*), R> {
            /// The kernel whose panicking entry is `call` and whose fallible entry is `run`.
            #[allow(clippy::type_complexity)]
            pub const fn kernel(
                call: for<'a> fn($($ty::Of<'a>),*) -> R,
                run: for<'c, 'a> fn(&'c Context, $($ty::Of<'a>),*) -> Result<R, Fault>,
                info: &'static KernelInfo,
            ) -> Kernel<for<'a> fn($($ty::Of<'a>),*) -> R> {
                // SAFETY: all function pointers have one size, and this one is only ever called after `entry`
                // has given it its type back.
                let run = Erased(unsafe { std::mem::transmute::<
                    for<'c, 'a> fn(&'c Context, $($ty::Of<'a>),*) -> Result<R, Fault>,
                    fn(),
                >(run) });
                Kernel { call, run, info }
            }
        }

        impl<$($ty,)* R> Kernel<fn($($ty),*) -> R> {
            /// Runs the program with the default options.
            ///
            /// # Errors
            /// The [`Fault`] that ends the run, the same at any number of threads.
            ///
            /// ```
            /// # use weldment_runtime::ops::checked; use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::FaultKind; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::exec::options::*;
            /// # static INFO: KernelInfo = KernelInfo::new("|x: i64, y: i64| x / y", "loops: 0 before, 0 after");
            /// # macro_rules! weld { ($($program:tt)*) => { Signature::<(Own<i64>, Own<i64>), i64>::kernel(
            /// #     |x, y| unwrap(checked::div(x, y, 1, 18)), |_, x, y| checked::div(x, y, 1, 18), &INFO) } }
            /// let quotient = weld!(|x: i64, y: i64| x / y);
            /// assert_eq!(quotient.try_call(7, 2), Ok(3));
            /// let fault = quotient.try_call(7, 0).unwrap_err();
            /// assert_eq!(fault.to_string(), "division by zero: 7 / 0 (at 1:18)");
            /// ```
            #[allow(clippy::too_many_arguments)]
            #[inline]
            pub fn try_call(&self, $($arg: $ty),*) -> Result<R, Fault> {
                (self.entry())(Context::ambient(), $($arg),*)
            }

            /// Runs the program with the default options, and writes its result to the memory that the vectors of
            /// `out` have, as far as it suffices. A vector keeps room that it does not need, for the next call.
            ///
            /// Vectors and the columns of dictionaries are written to; vectors within vectors only if they are large.
            /// A vector that the program does not write element by element, such as one that it sorts, is new memory.
            ///
            /// An array goes to an `ArrayViewMut` as well, and a vector to a slice: see [`Output`].
            ///
            /// # Errors
            /// The [`Fault`] that ends the run. `out` has no elements then, and zeros for numbers; a view and a slice are as they were,
            /// also where the result has another shape, which is a `ShapeMismatch`.
            ///
            /// ```
            /// # use weldment_runtime::store::vector::exact::Exact; use weldment_runtime::lang::fault::Fault; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::exec::context::Context;
            /// # static INFO: KernelInfo = KernelInfo::new("", "");
            /// # fn run(cx: &Context, v: &[f64]) -> Result<Vec<f64>, Fault> {
            /// #     let whole = Exact::new(&cx.results(), v.len() as i64)?;
            /// #     let mut part = whole.part(0..v.len());
            /// #     v.iter().for_each(|x| part.cursor().push(x * 2.0));
            /// #     part.done();
            /// #     Ok(whole.finish())
            /// # }
            /// # macro_rules! weld { ($($program:tt)*) => { Signature::<(Ref<[f64]>,), Vec<f64>>::kernel(
            /// #     |v| unwrap(run(Context::ambient(), v)), run, &INFO) } }
            /// let double = weld!(|v: &[f64]| v.map(|x| x * 2.0));
            /// let mut out = double(&[1.0, 2.0, 3.0]);
            /// let place = out.as_ptr();
            /// double.call_into(&mut out, &[4.0, 5.0])?;
            /// assert_eq!((&out[..], out.as_ptr()), (&[8.0, 10.0][..], place));
            /// # Ok::<(), Fault>(())
            /// ```
            #[allow(clippy::too_many_arguments)]
            pub fn call_into<Out: Output<Of = R> + ?Sized>(&self, out: &mut Out, $($arg: $ty),*) -> Result<(), Fault> {
                out.receive(&Options::new(), |cx| (self.entry())(cx, $($arg),*))
            }

            #[allow(clippy::type_complexity)]
            #[inline(always)]
            fn entry(&self) -> fn(&Context, $($ty),*) -> Result<R, Fault> {
                // SAFETY: a kernel is made by `Signature::kernel` alone, where `run` takes a context and the
                // parameters of `call`, and gives the result of `call` in a `Result`, for every lifetime in
                // them. The kernel's type can since have changed by subtyping only, which keeps parameters
                // and result the same up to lifetimes, and lets `call` accept no argument for a lifetime for
                // which `run` would not. Lifetimes have no part in how a function is called.
                unsafe {
                    std::mem::transmute::<fn(), fn(&Context, $($ty),*) -> Result<R, Fault>>(self.run.0)
                }
            }
        }

        impl<$($ty,)* R> With<'_, fn($($ty),*) -> R> {
            /// Runs the program with these options.
            ///
            /// # Errors
            /// The [`Fault`] that ends the run, which can be that it was cancelled.
            ///
            /// ```
            /// # use weldment_runtime::ops::checked; use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::FaultKind; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::exec::options::*;
            /// # static INFO: KernelInfo = KernelInfo::new("|x: i64, y: i64| x / y", "loops: 0 before, 0 after");
            /// # macro_rules! weld { ($($program:tt)*) => { Signature::<(Own<i64>, Own<i64>), i64>::kernel(
            /// #     |x, y| unwrap(checked::div(x, y, 1, 18)), |_, x, y| checked::div(x, y, 1, 18), &INFO) } }
            /// let quotient = weld!(|x: i64, y: i64| x / y);
            /// let sequential = quotient.with(&Options::new().threads(1));
            /// assert_eq!(sequential.call(7, 2), Ok(3));
            /// assert_eq!(sequential.call(7, 0).unwrap_err().kind, FaultKind::DivisionByZero);
            /// ```
            #[allow(clippy::too_many_arguments)]
            #[inline]
            pub fn call(&self, $($arg: $ty),*) -> Result<R, Fault> {
                // Each call is a run of its own, with what it holds counted from 0.
                let cx = self.context.clone();
                cx.poll()?;
                (self.kernel.entry())(&cx, $($arg),*)
            }

            /// Runs the program with these options, and writes its result to the memory that the vectors of `out`
            /// have: as [`Kernel::call_into`].
            ///
            /// # Errors
            /// The [`Fault`] that ends the run. `out` has no elements then, and zeros for numbers.
            ///
            /// ```
            /// # use weldment_runtime::ops::checked; use weldment_runtime::exec::context::Context; use weldment_runtime::lang::fault::FaultKind; use weldment_runtime::api::kernel::*; use weldment_runtime::api::param::*; use weldment_runtime::exec::options::*;
            /// # static INFO: KernelInfo = KernelInfo::new("|x: i64, y: i64| x / y", "loops: 0 before, 0 after");
            /// # macro_rules! weld { ($($program:tt)*) => { Signature::<(Own<i64>, Own<i64>), i64>::kernel(
            /// #     |x, y| unwrap(checked::div(x, y, 1, 18)), |_, x, y| checked::div(x, y, 1, 18), &INFO) } }
            /// let quotient = weld!(|x: i64, y: i64| x / y);
            /// let (options, mut out) = (Options::new().threads(1), 5);
            /// quotient.with(&options).call_into(&mut out, 7, 2)?;
            /// assert_eq!(out, 3);
            /// assert!(quotient.with(&options).call_into(&mut out, 7, 0).is_err());
            /// assert_eq!(out, 0);
            /// # Ok::<(), weldment_runtime::lang::fault::Fault>(())
            /// ```
            #[allow(clippy::too_many_arguments)]
            pub fn call_into<Out: Output<Of = R> + ?Sized>(&self, out: &mut Out, $($arg: $ty),*) -> Result<(), Fault> {
                out.receive(&self.context.options, |cx| {
                    cx.poll()?;
                    (self.kernel.entry())(cx, $($arg),*)
                })
            }
        }
    };
}

for_each_arity!(arity);
