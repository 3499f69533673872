//! The types over which a generic function of the language is one of Rust by a list of them, `#[welded(for(i32, i64))]`.

use super::element::Element;

/// The scalars: of what a list of types consists. A function has a trait of its own for those that it lists, which no other crate can implement
/// for more, since this one is its supertrait.
///
/// ```
/// use weldment_runtime::api::instance::Instance;
/// trait Listed: Instance {}
/// impl Listed for i32 {}
/// fn twice<T: Listed>(x: T) -> (T, T) { (x, x) }
/// assert_eq!(twice(1), (1, 1));
/// ```
pub trait Instance: Element + Copy + PartialOrd + sealed::Sealed + 'static {}

mod sealed {
    /// Kernels are written for no other types.
    pub trait Sealed {}
}

macro_rules! scalars {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => {$(
        impl sealed::Sealed for $ty {}

        impl Instance for $ty {}
    )*};
}
crate::scalar_types!(scalars);
