//! A data-parallel language in Rust: closures over collections become one fused loop.
//!
//! [`weld!`] compiles a closure while rustc runs. What it gives is a [`Kernel`], which is called like a function,
//! reads its slices in place and runs on all cores, with the same result on any number of them:
//!
//! ```
//! use weldment::weld;
//!
//! let revenue = weld!(|price: &[f64], discount: &[f64], day: &[i32]| {
//!     zip(price, discount, day).filter(|(_, _, t)| t < 9131).map(|(p, d, _)| p * d).sum()
//! });
//! assert_eq!(revenue(&[10.0, 20.0], &[0.5, 0.25], &[9000, 9200]), 5.0);
//! ```
//!
//! A plain call panics on a [`Fault`], such as an index that is not in its vector; [`Kernel::try_call`] gives a
//! `Result`, and [`Kernel::with`] takes [`Options`]: threads, cancellation, progress. [`Kernel::explain`] tells what
//! was fused and what was not.
//!
//! # Features
//! Without features an application compiles this crate and its runtime for its target. `program` adds programs at
//! run time, parsed from text, with an interpreter; `llvm` compiles them with LLVM 22; `html` makes a page of what became
//! of one. `ndarray` takes views and arrays of that crate and gives them, without copies; `chrono`, `jiff` and `time`
//! convert dates and times of theirs; `half` has the floats of 16 bits of that crate, `f16` and `bf16`, as those of programs.

pub use weldment_runtime::api::bound::{Bound, BoundWith};
pub use weldment_runtime::api::element::Element;
pub use weldment_runtime::api::fixed::{Fixed, NoFixed};
pub use weldment_runtime::api::float::Float;
#[cfg(feature = "half")]
pub use weldment_runtime::api::half::{bf16, f16};
pub use weldment_runtime::api::kernel::{Kernel, With};
pub use weldment_runtime::api::output::Output;
pub use weldment_runtime::api::time::{Date, NoTime, Span, Timestamp};
pub use weldment_runtime::exec::dbg::Dbg;
pub use weldment_runtime::exec::options::{Cancel, Options, Progress};
pub use weldment_runtime::lang::calendar::Temporal;
pub use weldment_runtime::lang::decimal::Scale;
pub use weldment_runtime::lang::domain::{Domain, Range};
pub use weldment_runtime::lang::fault::{Fault, FaultKind, Position, Told};
pub use weldment_runtime::lang::half::Half;
pub use weldment_runtime::lang::types::{Scalar, Type};
pub use weldment_runtime::lang::value::{DictValue, Value};
pub use weldment_runtime::mem::pool::Buffers;
pub use weldment_runtime::store::array::{Array, ArrayView, ArrayViewMut, ShapeError};
pub use weldment_runtime::store::column::{Bits, ColumnError, Nullable, Strings};
pub use weldment_runtime::store::dict::Dict;

/// Compiles a program, a closure over scalars and collections, to one fused loop: a [`Kernel`], or a [`Bound`] one if it captures something.
///
/// ```
/// use weldment::weld;
///
/// let norm = weld!(|x: &[f64]| x.map(|x| x * x).sum().sqrt());
/// assert_eq!(norm(&[3.0, 4.0]), 5.0);
/// ```
///
/// A kernel that captures nothing is a constant expression, so it can be a `static`:
///
/// ```
/// use weldment::{Dict, Kernel, weld};
///
/// static COUNT: Kernel<fn(&[i64]) -> Dict<i64, i64>> =
///     weld!(|v: &[i64]| result(for(v, dictmerger[i64, i64, +], |b, i, x| merge(b, {x, 1L}))));
/// assert_eq!(COUNT(&[7, 3, 7])[&7], 2);
/// ```
///
/// `v.fold(init, |acc, x| …)` adds, multiplies, or takes the least or greatest where its function is `acc op g(x)`.
/// Otherwise, if `acc` and `x` have one type, the function is taken as associative, as that of `reduce` is:
/// chunks of a long vector are folded apart, and then their results. [`Kernel::explain`] names each such `fold`. One whose
/// accumulator has another type than the elements runs in order:
///
/// ```
/// use weldment::weld;
///
/// let smooth = weld!(|v: &[f64]| v.fold((0.0,), |acc, x| (acc.0 * 0.5 + x,)).0);
/// assert_eq!(smooth(&[4.0, 2.0, 1.0]), 3.0);
///
/// let taken = weld!(|v: &[f64]| v.fold(0.0, |acc, x| acc * 0.5 + x));
/// assert!(taken.explain().contains("taken as associative"));
/// assert!(!smooth.explain().contains("taken as associative"));
/// ```
///
/// Names in capitals that the program does not have are constants of the Rust around it. What it takes from variables it captures, in
/// brackets: that gives a [`Bound`] kernel.
///
/// ```
/// use weldment::weld;
///
/// const TAX: f64 = 0.25;
///
/// let (discount, weights) = (0.5, vec![1.0, 2.0]);
/// let priced = weld!([discount, w = &weights] |p: &[f64]| zip(p, w).map(|(p, w)| p * w * discount * (1.0 + TAX)).sum());
/// assert_eq!(priced(&[8.0, 4.0]), 10.0);
/// ```
///
/// Before its closure a program may claim how many loops are left of it, how many vectors and dictionaries it writes to
/// memory besides its result, and how many arrays it computes a few rows at a time (`windows`). If that is not so, it does not compile, and the error says why. `#[warn(materialized)]`, in the
/// same place, warns of each vector or dictionary in memory (by the lint `deprecated`, since macros have none of their own):
///
/// ```
/// use weldment::weld;
///
/// let norm = weld!(
///     #[expect(loops = 1, materialized = 0)]
///     |x: &[f64]| x.map(|x| x * x).sum().sqrt()
/// );
/// assert_eq!(norm(&[3.0, 4.0]), 5.0);
/// ```
///
/// ```compile_fail
/// weldment::weld!(#[expect(materialized = 0)] |x: &[f64]| x.map(|x| x * x).sort_by_key(|x| x)[0]);
/// ```
///
/// Functions and constants without a closure are items of the language, as those before which [`welded`] stands, but that rustc does not read them: they may be
/// written in either spelling.
///
/// ```
/// use weldment::{Array, weld};
///
/// weld! {
///     /// The mean of the neighbours of each.
///     pub fn around(a: &Array<f64, 2>) -> Array<f64, 2> {
///         a.stencil(clamp, |c| (c[-1, 0] + c[1, 0] + c[0, -1] + c[0, 1]) * SHARE)
///     }
///
///     const SHARE: f64 = 0.25;
/// }
///
/// let a = Array::from_fn([3, 3], |[i, j]| (i * j) as f64).unwrap();
/// assert_eq!(around(&a)[[1, 1]], 1.0);
/// assert_eq!(weld!(|a: &Array<f64, 2>| around(a).sum())(&a), 9.0);
/// ```
///
/// Parameters are scalars, `usize`, `[T; N]` of up to 64 elements, tuples, structs that derive [`Weld`](derive@Weld), slices `&[T]`, `&Dict<K, V>`, `&Array<T, N>`, and
/// views of arrays: `ArrayView<T, N>` is called with an [`ArrayView<'_, T, N>`](ArrayView). Results are the same, owned. At most 24 parameters, and tuples of at most 24 fields.
///
/// # Errors
/// A mistake in the program is a compile error at the token that is wrong. What goes wrong in a run is a
/// [`Fault`]: [`Kernel::try_call`] gives it.
///
/// # Panics
/// Calling the kernel as a function panics with the text of the fault:
///
/// ```should_panic
/// let first = weldment::weld!(|v: &[f64]| v[0]);
/// first(&[]);
/// ```
#[macro_export]
macro_rules! weld {
    ($($program:tt)*) => { $crate::__private::weld! { $crate; $($program)* } };
}

/// Makes a struct one of the language, so that programs take and return it, and read its fields by name.
///
/// ```
/// use weldment::{Kernel, Weld, weld};
///
/// #[derive(Clone, Copy, Debug, PartialEq, Weld)]
/// struct Point {
///     x: f64,
///     y: f64,
/// }
///
/// #[derive(Clone, Copy, Debug, PartialEq, Weld)]
/// struct Segment {
///     a: Point,
///     b: Point,
/// }
///
/// static LENGTH: Kernel<fn(&[Segment]) -> f64> =
///     weld!(|s: &[Segment]| s.map(|s| hypot(s.a.x - s.b.x, s.a.y - s.b.y)).sum());
/// static MOVED: Kernel<fn(&[Point], f64) -> Vec<Point>> =
///     weld!(|p: &[Point], dx: f64| p.map(|p| Point { x: p.x + dx, ..p }));
///
/// let (a, b) = (Point { x: 0.0, y: 0.0 }, Point { x: 3.0, y: 4.0 });
/// assert_eq!(LENGTH(&[Segment { a, b }]), 5.0);
/// assert_eq!(MOVED(&[a], 1.0), [Point { x: 1.0, y: 0.0 }]);
/// ```
///
/// The struct keeps its layout: its elements are read where they lie, and a `Vec` of it is written as one. To a program
/// it is the tuple of its fields, in the order in which they are written: so it compares, is a key of a [`Dict`], and
/// reduces field by field. With the feature `program` it goes in and out of an `Executable` where that tuple does.
///
/// ```
/// # use weldment::{Dict, Weld, weld};
/// #[derive(Clone, Copy, PartialEq, Weld)]
/// struct Key { region: u8, is_open: bool }
/// # #[derive(Clone, Copy, Weld)]
/// # struct Shop { key: Key, sales: f64 }
/// let by_key = weld!(|shops: &[Shop]| shops.reduce_by(|s| s.key, |s| s.sales, +));
/// let key = Key { region: 7, is_open: true };
/// let sales: Dict<Key, f64> = by_key(&[Shop { key, sales: 1.5 }, Shop { key, sales: 2.0 }]);
/// assert_eq!(sales[&key], 3.5);
/// ```
///
/// A struct with a lifetime borrows what it holds, and is a parameter by itself, such as columns that stay where they are:
///
/// ```
/// # use weldment::{Weld, weld};
/// #[derive(Clone, Copy, Weld)]
/// struct Sales<'a> {
///     price: &'a [f64],
///     quantity: &'a [i32],
///     rate: f64,
/// }
///
/// let revenue = weld!(|s: &Sales<'_>| s.rows().map(|r| r.price * r.quantity as f64).sum() * (1.0 - s.rate));
/// assert_eq!(revenue(&Sales { price: &[2.0, 4.0], quantity: &[1, 2], rate: 0.5 }), 5.0);
/// ```
///
/// # What can derive it
/// Structs with at least one field, generic ones and those without field names included. Fields are scalars, tuples,
/// `Vec`s, [`Dict`]s and structs that derive `Weld`, which must be as visible as the struct itself; of a struct with a lifetime also `&'a [T]`
/// and `&'a str`. A kernel copies structs
/// of scalars, so they must be `Copy`; others must be `Clone`. Where a struct is in scope, so is what `weld!` needs of it:
/// through modules, crates and `use … as …`, but not through a `type` of another name.
///
/// Where the facade goes by another name, say so: `#[weld(crate = name)]`.
///
/// # Errors
/// A field of a type that programs do not have is a compile error at that type. So is an enum or a union.
pub use weldment_macros::Weld;

/// Makes a function, a constant or a kernel one of the language: kernels call it, and it is compiled into them as if its body stood there. So it is written once,
/// and fuses wherever it is called, in other crates, too.
///
/// ```
/// use weldment::{weld, welded};
///
/// /// What is to be paid.
/// #[welded]
/// pub fn discounted(price: f64, discount: f64) -> f64 {
///     price * (1.0 - discount)
/// }
///
/// let paid = weld!(
///     #[expect(loops = 1, materialized = 0)]
///     |p: &[f64], d: &[f64]| zip(p, d).map(|(p, d)| discounted(p, d)).sum()
/// );
/// assert_eq!(paid(&[10.0, 20.0], &[0.5, 0.25]), 20.0);
/// assert_eq!(discounted(10.0, 0.5), 5.0); // of Rust, too
/// ```
///
/// The body is of the language, not of Rust: integers wrap, and a vector is mapped, not iterated. It calls others of its kind, takes
/// functions, and is generic over [`Float`]:
///
/// ```
/// use weldment::{weld, welded};
///
/// #[welded]
/// fn norm<T: Float>(v: &[T]) -> T { v.map(|x| x * x).sum().sqrt() }
///
/// #[welded]
/// fn normed<T: Float>(v: &[T], by: impl Fn(&[T]) -> T) -> Vec<T> {
///     let by = by(v);
///     v.map(|x| x / by)
/// }
///
/// let normed = weld! { use norm; |v: &[f32]| normed(v, norm) };
/// assert_eq!(normed(&[3.0, 4.0]), [0.6, 0.8]);
/// assert_eq!(norm(&[3.0, 4.0]), 5.0);
/// ```
///
/// A constant is told like a function, and found by a `use`:
///
/// ```
/// use weldment::{weld, welded};
///
/// #[welded]
/// const TAX: f64 = 0.19;
///
/// #[welded]
/// fn taxed(price: f64) -> f64 { price * (1.0 + TAX) }
///
/// let kernel = weld! { use TAX; |p: &[f64]| (p.map(taxed).sum(), TAX) };
/// assert_eq!(kernel(&[100.0]), (119.0, 0.19));
/// ```
///
/// A kernel whose program is one closure is a function of others, too: `#[welded] static NORM: Kernel<fn(&[f64]) -> f64> = weld!(|v: &[f64]| …);`.
///
/// # How it is found
/// By its name, wherever that is in scope: a path, `use … as …`, a glob. As a method, and as an argument of other functions than `map`,
/// `filter` and the like, by a `use` in front of the program: `weld! { use shop::discounted; |p: &[f64]| p.map(|p| p.discounted(0.5)) }`.
/// A mistake in it is told where it stands, and a fault at its call.
///
/// # As a function of Rust
/// It runs a kernel of its own, once for each type that `Float` stands for, and panics with the text of a fault. What takes functions, or
/// whose type parameters are any, `Int` or `Number`, is for kernels only, as is what says so: `#[welded(kernels)]`. Types that it lists are those for
/// which it is a function of Rust:
///
/// ```
/// use weldment::welded;
///
/// #[welded(for(i32, i64))]
/// fn total<T: Number>(v: &[T]) -> T { v.sum() }
///
/// assert_eq!((total(&[1, 2]), total(&[1i64, 2])), (3, 3));
/// ```
///
/// ```compile_fail
/// # use weldment::welded;
/// # #[welded(for(i32, i64))]
/// # fn total<T: Number>(v: &[T]) -> T { v.sum() }
/// total(&[0.5, 1.0]);
/// ```
///
/// # Functions that stay ones of Rust
/// `#[welded(opaque)]` stands before any function of scalars: kernels call it, and know nothing but its signature. It is taken as pure.
///
/// ```
/// use weldment::{weld, welded};
///
/// #[welded(opaque)]
/// fn digits(x: u32) -> u32 { x.to_string().len() as u32 }
///
/// assert_eq!(weld!(|v: &[u32]| v.map(digits).sum())(&[1, 20, 300]), 6);
/// ```
///
/// Where the facade goes by another name, say so: `#[welded(crate = name)]`.
///
/// # Errors
/// What is not of the language is a compile error at its token, as in [`weld!`]. The name must be none of the language's functions, nor of a
/// macro of Rust's prelude.
pub use weldment_macros::welded;

/// What emitted code names. Nothing here is for users, and all of it may change.
#[doc(hidden)]
pub mod __private {
    pub use core::array::from_fn;
    pub use core::clone::Clone;
    pub use core::iter::zip;
    pub use core::option::Option::{self, None, Some};
    pub use core::primitive;
    pub use core::result::Result::{self, Ok};
    pub use std::boxed::Box;
    pub use std::string::String;
    pub use std::sync::Arc;
    pub use std::vec::Vec;

    pub use weldment_macros::{define, weld, weld_item, welded_told};
    pub use weldment_runtime as rt;

    /// `from`, if it is a `T`: how a generic function finds the one for its types.
    pub fn instance<F: 'static, T: Copy + 'static>(from: F) -> Option<T> {
        (&from as &dyn core::any::Any).downcast_ref::<T>().copied()
    }

    /// Where no types are left that the parameters of a generic function could be.
    ///
    /// # Panics
    /// Always.
    pub fn no_instance() -> ! {
        unreachable!("a type parameter stands for no other type")
    }
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "program")]
mod program;
#[cfg(feature = "llvm")]
pub use program::Level;
#[cfg(feature = "program")]
pub use program::{
    CacheStatus, Change, CompileError, CompileOptions, ErrorCode, ErrorKind, Example, Executable, Executor,
    ExplainOptions, Explanation, Foreign, ForeignFunctions, Form, Program, Report, ScalarFunction, Split,
    Stage, ToProgram, TypeMismatch, Warning,
};
#[cfg(feature = "program")]
pub use weldment_runtime::api::args::{Argument, Arguments};

/// The parts of a [`Report`]: what became of a program's loops, what did not, and why.
#[cfg(feature = "program")]
pub mod report {
    pub use weldment_core::report::{
        Assumption, Decision, Fusion, Materialized, Refusal, RewriteLimit, RunningLoop, Stencil,
    };
}

/// Executors of one's own: a [`Backend`](backend::Backend) is given the low-level code of a program, and runs it.
///
/// ```
/// use std::sync::Arc;
/// use weldment::backend::{Backend, BackendError, Compiled, Source, Unsupported, imp};
/// use weldment::{CompileOptions, Executor, Program};
///
/// /// Takes nothing.
/// struct Picky;
///
/// impl Backend for Picky {
///     fn name(&self) -> &str { "picky" }
///     fn target(&self) -> imp::Target { imp::Target::default() }
///     fn accepts(&self, program: &imp::Imp) -> Result<(), Unsupported> {
///         Err(Unsupported::new("programs", program.funcs[program.entry].loc))
///     }
///     fn compile(&self, _: &Source<'_>) -> Result<Arc<dyn Compiled>, BackendError> {
///         Err(BackendError::internal("nothing is accepted"))
///     }
/// }
///
/// let options = CompileOptions { executor: Executor::Custom(Arc::new(Picky)), ..CompileOptions::default() };
/// let error = Program::parse("|x: i64| x + 1")?.compile(&options).unwrap_err();
/// assert!(error.message.starts_with("the executor `picky` does not support programs"));
/// # Ok::<(), weldment::CompileError>(())
/// ```
#[cfg(feature = "program")]
pub mod backend {
    pub use weldment_codegen::backend::{
        Backend, BackendError, BackendErrorKind, Call, Code, Compiled, Entry, Given, Source, Unsupported, abi,
    };
    pub use weldment_codegen::foreign::{Callee, Callees};
    pub use weldment_codegen::imp;
    pub use weldment_runtime::exec::context::Context;

    /// What low-level code has of the IR: ops, constants, and the places of tokens.
    pub mod ir {
        pub use weldment_core::ir::{
            Arena, BinaryOp, CompareOp, Const, Entity, Loc, MathFn, Op, ReduceOp, SpanPart, TextFn, UnaryOp,
            Value, WriteFn, Zip,
        };
        pub use weldment_core::source::Positions;
    }
}
