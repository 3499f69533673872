//! The numbers over which a generic function of the language is one of Rust.

use super::element::Element;

/// f32 and f64: what the type parameter of a `#[welded]` function may stand for, `fn norm<T: Float>(v: &[T]) -> T`.
///
/// ```
/// use weldment_runtime::api::float::Float;
/// fn zero<T: Float>() -> T { T::zero() }
/// assert_eq!((zero::<f32>(), zero::<f64>()), (0.0, 0.0));
/// ```
pub trait Float: Element + Copy + PartialOrd + sealed::Sealed + 'static {}

impl Float for f32 {}

impl Float for f64 {}

mod sealed {
    /// Functions have an instance for each of the types, so that there are no others.
    pub trait Sealed {}

    impl Sealed for f32 {}

    impl Sealed for f64 {}
}
