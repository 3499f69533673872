//! Functions of Rust as foreign functions: each type of function has a shim, which reads the arguments where the executor
//! has put them, and writes the result to its place.

use std::mem;

use weldment_codegen::foreign::Callee;
use weldment_runtime::api::element::Element;
use weldment_runtime::lang::types::Type;

/// A function pointer of up to eight scalars, which gives a scalar: what
/// [`ForeignFunctions::function`](crate::ForeignFunctions::function) takes. A function has the type of a pointer once it is cast to it, or
/// bound by a `let` with this type.
///
/// ```
/// fn takes(_: impl weldment::ScalarFunction) {}
/// takes(f64::hypot as fn(f64, f64) -> f64);
/// takes(<i64 as Default>::default as fn() -> i64);
/// ```
///
/// Others do not fit:
///
/// ```compile_fail
/// fn takes(_: impl weldment::ScalarFunction) {}
/// takes((|v| v.len() as i64) as fn(Vec<f64>) -> i64);
/// ```
pub trait ScalarFunction: sealed::Sealed {
    /// The types of the parameters, and that of the result.
    #[doc(hidden)]
    fn types(&self) -> (Vec<Type>, Type);

    /// What a program calls.
    #[doc(hidden)]
    fn callee(self) -> Callee;
}

mod sealed {
    pub trait Sealed {}
}

/// Types of Rust that lie in memory as those of the language do, to the byte.
trait Scalar: Element + Copy {}

macro_rules! scalars {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => { $(impl Scalar for $ty {})* };
}
weldment_runtime::scalar_types!(scalars);

macro_rules! one {
    ($param:ident) => {
        1
    };
}

macro_rules! functions {
    ($(($($param:ident $arg:ident)*))*) => {$(
        #[allow(private_bounds, reason = "there are no scalars but these")]
        impl<$($param: Scalar,)* R: Scalar> sealed::Sealed for fn($($param),*) -> R {}

        #[allow(private_bounds, reason = "there are no scalars but these")]
        impl<$($param: Scalar,)* R: Scalar> ScalarFunction for fn($($param),*) -> R {
            fn types(&self) -> (Vec<Type>, Type) {
                (vec![$($param::ty()),*], R::ty())
            }

            fn callee(self) -> Callee {
                /// # Safety
                /// `function` is of this type, so many `args` point to values of its parameters' types, and `result` to room
                /// for one of its result's.
                unsafe fn shim<$($param: Scalar,)* R: Scalar>(
                    function: *const (),
                    args: *const *const u8,
                    result: *mut u8,
                ) {
                    // SAFETY: as the caller promises.
                    unsafe {
                        let function = mem::transmute::<*const (), fn($($param),*) -> R>(function);
                        let [$($arg),*] = *args.cast::<[*const u8; 0 $(+ one!($param))*]>();
                        result.cast::<R>().write(function($($arg.cast::<$param>().read()),*));
                    }
                }
                // SAFETY: a safe function may be called at any time, from any thread, with arguments of its types, and
                // programs are checked to give such.
                unsafe { Callee::of_rust(self as *const (), shim::<$($param,)* R>) }
            }
        }
    )*};
}

functions! {
    ()
    (A a)
    (A a B b)
    (A a B b C c)
    (A a B b C c D d)
    (A a B b C c D d E e)
    (A a B b C c D d E e F f)
    (A a B b C c D d E e F f G g)
    (A a B b C c D d E e F f G g H h)
}
